import Synchronization

/// The values that the interactors above a handler provide.
///
/// It is a value type: an effect that captures it reads the same values on any thread.
public struct ProvidedValues: Sendable {
  @usableFromInline let last: (any ProvidedLink)?

  /// Makes the values of an app, which are empty.
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
        if let testValue = key.testValue { return found.value(of: key.identity, testValue) }
        found.report(.valueNotProvided(key: key.name))
      }
      link = found.next
    }
    return key.defaultValue()
  }

  func isIdentical(to other: ProvidedValues) -> Bool { last === other.last }

  package func setting<Value>(_ key: ProvidedKey<Value>, to value: Value) -> ProvidedValues {
    ProvidedValues(ValueLink(key: key.identity, value: value, next: last))
  }
}

/// One provided value, with a link to the values that were provided before it.
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
/// It receives the reads of values that nothing provides, and keeps the values for tests.
@usableFromInline
final class ReportLink: ProvidedLink {
  @usableFromInline let report: @Sendable (RuntimeError) -> Void
  private let values = Mutex<[(key: ProvidedIdentity, value: any Sendable)]>([])
  @usableFromInline var next: (any ProvidedLink)? { nil }

  init(report: @escaping @Sendable (RuntimeError) -> Void) {
    self.report = report
  }

  @usableFromInline
  func hasKey(_ key: ProvidedIdentity) -> Bool { false }

  /// Returns the value of a key for this test, which is made at the first read.
  @usableFromInline
  func value<Value: Sendable>(of key: ProvidedIdentity, _ make: () -> Value) -> Value {
    if let known: Value = values.withLock({ Self.known(key, in: $0) }) { return known }
    let new = make()
    return values.withLock { values in
      // Another thread may have made the value meanwhile.
      if let known: Value = Self.known(key, in: values) { return known }
      values.append((key, new))
      return new
    }
  }

  private static func known<Value>(
    _ key: ProvidedIdentity, in values: [(key: ProvidedIdentity, value: any Sendable)]
  ) -> Value? {
    values.first { $0.key == key }?.value as? Value
  }
}
