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
  ///     read. In a test, a read of it is reported as ``RuntimeError/valueNotProvided(key:)``.
  ///   - inTests: The value in a test that does not provide a value. Default: the test must provide
  ///     a value.
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

/// The values that the interactors above a handler provide.
///
/// It is a value: an effect that captures it reads the same values on any thread.
public struct ProvidedValues: Sendable {
  @usableFromInline let last: (any ProvidedLink)?

  /// Makes the values of an app: none.
  @inlinable
  package init() {
    last = nil
  }

  /// Makes the values of a test: no value is provided, and reads of defaults are reported.
  package init(reportingTo report: @escaping @Sendable (RuntimeError) -> Void) {
    last = ReportLink(report: report)
  }

  private init(_ last: any ProvidedLink) {
    self.last = last
  }

  /// The value of the nearest interactor that provides it, or the default of the key.
  ///
  /// It can be read on any thread.
  ///
  /// Complexity: O(*n*) in the number of provided values.
  @inlinable
  public subscript<Value>(key: ProvidedKey<Value>) -> Value {
    var link = last
    while let found = link {
      if found.hasKey(key.identity), let found = found as? ValueLink<Value> { return found.value }
      if found.next == nil, let found = found as? ReportLink {
        if let testValue = key.testValue { return testValue() }
        found.report(.valueNotProvided(key: key.name))
      }
      link = found.next
    }
    return key.defaultValue()
  }

  func isIdentical(to other: ProvidedValues) -> Bool { last === other.last }

  func setting<Value>(_ key: ProvidedKey<Value>, to value: Value) -> ProvidedValues {
    ProvidedValues(ValueLink(key: key.identity, value: value, next: last))
  }
}

/// One provided value, and those that were provided before it.
@usableFromInline
protocol ProvidedLink: AnyObject, Sendable {
  /// Whether the link has the value of a key.
  func hasKey(_ key: ProvidedIdentity) -> Bool
  var next: (any ProvidedLink)? { get }
}

@usableFromInline
final class ValueLink<Value: Sendable>: ProvidedLink {
  private let key: ProvidedIdentity
  @usableFromInline let value: Value
  @usableFromInline let next: (any ProvidedLink)?

  init(key: ProvidedIdentity, value: Value, next: (any ProvidedLink)?) {
    self.key = key
    self.value = value
    self.next = next
  }

  @usableFromInline
  func hasKey(_ key: ProvidedIdentity) -> Bool { key == self.key }
}

/// The first link in a test.
///
/// It receives the reads of values that nothing provides.
@usableFromInline
final class ReportLink: ProvidedLink {
  @usableFromInline let report: @Sendable (RuntimeError) -> Void
  @usableFromInline var next: (any ProvidedLink)? { nil }

  init(report: @escaping @Sendable (RuntimeError) -> Void) {
    self.report = report
  }

  @usableFromInline
  func hasKey(_ key: ProvidedIdentity) -> Bool { false }
}
