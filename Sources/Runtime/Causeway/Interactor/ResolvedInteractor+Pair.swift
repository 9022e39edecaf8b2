extension ResolvedInteractor {
  /// Returns an interactor that passes every action to two interactors in order.
  ///
  /// Their emissions are merged. The initial value of the first interactor is used, or else the
  /// initial value of the second interactor.
  @inlinable
  static func pair(_ first: Self, _ second: Self) -> Self {
    let site = CompositionSite(fileID: #fileID, line: #line)
    var updater: Updater?
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
