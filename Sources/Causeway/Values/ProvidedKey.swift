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
  let name: String
  let defaultValue: @Sendable () -> Value
  let testValue: (@Sendable () -> Value)?
  let identity: ProvidedIdentity

  /// Makes a key.
  ///
  /// - Parameters:
  ///   - name: The name of the value, for reports.
  ///   - default: The value that is used if no interactor provides one. It is evaluated at each
  ///     read. In a test, a read of it is reported as ``RuntimeError/valueNotProvided(key:)``.
  ///   - inTests: The value that a test uses if it provides none. Default: the test must provide a
  ///     value.
  ///   - fileID: The place of the call, which is the identity of the key; leave it to the compiler.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
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
    identity = ProvidedIdentity(place: EffectPlace(fileID, line, column), type: Value.self)
  }
}

/// The identity of a key.
///
/// The type distinguishes the specialisations of a key in generic code.
struct ProvidedIdentity: Equatable, Sendable {
  private let place: EffectPlace
  private let type: ObjectIdentifier

  init(place: EffectPlace, type: Any.Type) {
    self.place = place
    self.type = ObjectIdentifier(type)
  }
}

/// The values that the interactors above a handler provide.
///
/// A value type: an effect that captures it reads the same values on any thread.
public struct ProvidedValues: Sendable {
  /// The values for the handler that is running.
  ///
  /// A handler is synchronous, so no other code can run while this property contains the values of
  /// a subtree.
  @MainActor @usableFromInline static var current = ProvidedValues()

  private let last: (any Link)?
  /// Receives reads of defaults in a test; `nil` in an app.
  private let report: (@Sendable (RuntimeError) -> Void)?

  init() {
    last = nil
    report = nil
  }

  /// Makes the values of a test: no value is provided, and reads of defaults are reported.
  package init(reportingTo report: @escaping @Sendable (RuntimeError) -> Void) {
    last = nil
    self.report = report
  }

  private init(_ values: ProvidedValues, _ link: any Link) {
    last = link
    report = values.report
  }

  /// The value of the nearest interactor that provides it, or the default of the key.
  ///
  /// Can be read on any thread.
  ///
  /// Complexity: O(*n*) in the number of provided values.
  public subscript<Value>(key: ProvidedKey<Value>) -> Value {
    var link = last
    while let found = link {
      if found.identity == key.identity, let found = found as? ValueLink<Value> {
        return found.value
      }
      link = found.next
    }
    guard let report else { return key.defaultValue() }
    if let testValue = key.testValue { return testValue() }
    report(.valueNotProvided(key: key.name))
    return key.defaultValue()
  }

  /// Whether no value is provided, in an app.
  var isEmpty: Bool { last == nil && report == nil }

  func setting<Value>(_ key: ProvidedKey<Value>, to value: Value) -> ProvidedValues {
    ProvidedValues(self, ValueLink(identity: key.identity, value: value, next: last))
  }
}

/// One provided value, and a link to the values that were provided before it.
private protocol Link: AnyObject, Sendable {
  var identity: ProvidedIdentity { get }
  var next: (any Link)? { get }
}

private final class ValueLink<Value: Sendable>: Link {
  let identity: ProvidedIdentity
  let value: Value
  let next: (any Link)?

  init(identity: ProvidedIdentity, value: Value, next: (any Link)?) {
    self.identity = identity
    self.value = value
    self.next = next
  }
}
