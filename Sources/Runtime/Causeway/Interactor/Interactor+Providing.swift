extension Interactor {
  /// Provides a value to this interactor and all its descendants.
  ///
  /// ```swift
  /// let model = ViewModel(Port().providing(.timetable, server))
  /// let test = TestModel(Port().providing(.timetable, FixedTimetable()))
  /// ```
  ///
  /// ``InteractWithValues`` reads it. If several interactors around a handler provide the same key,
  /// the handler receives the value of the nearest one.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - value: The value. Effects read it off the main actor.
  public func providing<Value>(
    _ key: ProvidedKey<Value>, _ value: Value
  ) -> ResolvedInteractor<State, Action> {
    let provision = Provision(key, value)
    return resolve().withValues { provision.values(inside: $0) }
  }
}

extension ResolvedInteractor {
  /// Provides the clock of a view model, unless it is the default.
  @inlinable
  func providing(_ clock: any Clock<Duration>) -> ResolvedInteractor {
    RuntimeOptions.isStandard(clock) ? self : providingOther(clock)
  }

  @usableFromInline
  func providingOther(_ clock: any Clock<Duration>) -> ResolvedInteractor {
    providing(ProvidedKey<any Clock<Duration>>.clock, clock)
  }

  /// Returns this interactor with other values for its handlers.
  package func withValues(
    _ values: @escaping @MainActor (_ outer: ProvidedValues) -> ProvidedValues
  ) -> ResolvedInteractor {
    let handle = self.handle
    return wrapped { state, action, outer in handle(state, action, values(outer)) }
  }
}

/// A value that one interactor provides, together with the values around it.
///
/// It keeps the last result. The values around it are usually the same for each action, and then an
/// action allocates nothing.
@MainActor
private final class Provision<Value: Sendable> {
  private let key: ProvidedKey<Value>
  private let value: Value
  private var outer = ProvidedValues()
  private var values: ProvidedValues

  init(_ key: ProvidedKey<Value>, _ value: Value) {
    self.key = key
    self.value = value
    values = outer.setting(key, to: value)
  }

  func values(inside outer: ProvidedValues) -> ProvidedValues {
    if outer.isIdentical(to: self.outer) { return values }
    self.outer = outer
    values = outer.setting(key, to: value)
    return values
  }
}
