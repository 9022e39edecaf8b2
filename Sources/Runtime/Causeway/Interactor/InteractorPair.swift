/// Two interactors that receive every action in order.
///
/// Their emissions are merged.
///
/// The builder makes it for a body with several interactors.
public struct InteractorPair<First: Interactor, Second: Interactor>: Interactor
where First.State == Second.State, First.Action == Second.Action {
  /// The state of both.
  public typealias State = First.State
  /// The actions of both.
  public typealias Action = First.Action

  @usableFromInline let first: First
  @usableFromInline let second: Second

  @inlinable
  init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// Returns the first initial value, and a handler that calls both handlers.
  @inlinable
  public func resolve() -> ResolvedInteractor<State, Action> {
    let first = self.first.resolve()
    let second = self.second.resolve()
    let site = CompositionSite(fileID: #fileID, line: #line)
    var updater: ResolvedInteractor<State, Action>.Updater?
    if first.updater != nil || second.updater != nil {
      // The emission of the update itself stays in the scope of its effect. Only the emission of
      // the second interactor's `onChange` is scoped.
      updater = { state, update in
        var own = Emission<State, Action>.state
        let followed = first.apply(
          {
            second.apply(
              {
                own = update($0)
                return .state
              }, to: $0
            ).scoped(to: site)
          }, to: state)
        return .both(own, followed)
      }
    }
    return ResolvedInteractor(
      initial: first.initial ?? second.initial, updater: updater,
      exchange: SharedExchange.both(first.exchange, second.exchange)
    ) { state, action, values in
      let emission = first.handle(state, action, values)
      return .both(emission, second.handle(state, action, values).scoped(to: site))
    }
  }
}
