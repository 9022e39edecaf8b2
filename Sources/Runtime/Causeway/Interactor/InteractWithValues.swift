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

  /// `nil` if the parent makes the state.
  @usableFromInline let initial: InitialValue<State>?
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

  /// Makes an interactor from a handler, for a state that its parent makes; see ``Interact``.
  ///
  /// - Parameter handler: Called on the main actor once for each action. It mutates the state in
  ///   place. Its third parameter has the values that the interactors above provide.
  @inlinable
  public init(_ handler: @escaping Handler) {
    initial = nil
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
