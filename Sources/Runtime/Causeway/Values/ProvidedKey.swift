/// The key of a value that an interactor provides to all interactors below it.
///
/// ```swift
/// extension ProvidedKey<any Timetable> {
///   static var timetable: Self { ProvidedKey("timetable", default: PortServer.shared) }
/// }
/// ```
///
/// Two keys are equal if they are made at the same place in the source.
public struct ProvidedKey<Value: Sendable>: Sendable {
  @usableFromInline let name: String
  @usableFromInline let defaultValue: @Sendable () -> Value
  @usableFromInline let testValue: (@Sendable () -> Value)?
  @usableFromInline let identity: ProvidedIdentity

  /// Makes a key.
  ///
  /// - Parameters:
  ///   - name: The name of the value, for reports.
  ///   - default: The value that is used if no interactor provides one. It is evaluated at each
  ///     read. In a test, a read of the default is reported as
  ///     ``RuntimeError/valueNotProvided(key:)``.
  ///   - inTests: Makes the value in a test that does not provide a value, once for each test model
  ///     and trial. Default: the test must provide a value.
  ///   - fileID: The place of the call, which is the identity of the key; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  @inlinable
  public init(
    _ name: String,
    default: @escaping @autoclosure @Sendable () -> Value,
    inTests: (@Sendable () -> Value)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.name = name
    defaultValue = `default`
    testValue = inTests
    identity = ProvidedIdentity(fileID, line, column, type: Value.self)
  }
}

/// The identity of a key.
///
/// The type distinguishes the specialisations of a key in generic code.
@usableFromInline
struct ProvidedIdentity: Equatable, Sendable {
  private let place: EffectPlace
  private let type: ObjectIdentifier

  @usableFromInline
  init(_ fileID: StaticString, _ line: UInt, _ column: UInt, type: Any.Type) {
    place = EffectPlace(fileID, line, column)
    self.type = ObjectIdentifier(type)
  }

  @usableFromInline
  static func == (left: Self, right: Self) -> Bool {
    left.type == right.type && left.place == right.place
  }
}
