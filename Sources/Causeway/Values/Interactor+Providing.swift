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
  /// Returns the same interactor, whose handlers read other values.
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

/// A primitive interactor whose handler reads values that the interactors above it provide.
///
/// ```swift
/// InteractWithValues(initialValue: State()) { state, action, values in
///   let timetable = values[.timetable]
///   return .perform { send in
///     let list = try await timetable.departures()
///     await send { $0.list = list }
///   }
/// }
/// ```
///
/// The handler may also pass `values` as a whole to an effect. Otherwise it is the same as
/// ``Interact``.
public struct InteractWithValues<State: Sendable, Action: Sendable>: Interactor {
  /// Changes the state in place for an action, and returns the effects to start.
  public typealias Handler =
    @MainActor (inout State, Action, ProvidedValues) -> Emission<State, Action>

  @usableFromInline let initial: InitialValue<State>
  @usableFromInline let handler: Handler

  /// Makes an interactor from a handler.
  ///
  /// - Parameters:
  ///   - initialValue: The state to start with. If a body has several interactors, the value of the
  ///     first one is used.
  ///   - handler: Called on the main actor once for each action. It mutates the state in place. Its
  ///     third parameter has the values that the interactors above provide.
  @inlinable
  public init(initialValue: State, handler: @escaping Handler) {
    self.initial = InitialValue(initialValue)
    self.handler = handler
  }

  /// Returns the initial value and the handler.
  @inlinable
  public func resolve() -> ResolvedInteractor<State, Action> {
    let handler = self.handler
    return ResolvedInteractor(initial: initial) { state, action, values in
      handler(&state.pointee, action, values)
    }
  }
}
