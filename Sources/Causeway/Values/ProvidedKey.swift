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
@usableFromInline
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
  /// Can be read on any thread.
  ///
  /// Complexity: O(*n*) in the number of provided values.
  public subscript<Value>(key: ProvidedKey<Value>) -> Value {
    var link = last
    while let found = link {
      if found.key == key.identity, let found = found as? ValueLink<Value> { return found.value }
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
  /// The key of the value; `nil` for the first link in a test.
  var key: ProvidedIdentity? { get }
  var next: (any ProvidedLink)? { get }
}

private final class ValueLink<Value: Sendable>: ProvidedLink {
  let key: ProvidedIdentity?
  let value: Value
  let next: (any ProvidedLink)?

  init(key: ProvidedIdentity, value: Value, next: (any ProvidedLink)?) {
    self.key = key
    self.value = value
    self.next = next
  }
}

/// The first link in a test.
///
/// It receives the reads of values that nothing provides.
private final class ReportLink: ProvidedLink {
  let report: @Sendable (RuntimeError) -> Void
  var key: ProvidedIdentity? { nil }
  var next: (any ProvidedLink)? { nil }

  init(report: @escaping @Sendable (RuntimeError) -> Void) {
    self.report = report
  }
}
