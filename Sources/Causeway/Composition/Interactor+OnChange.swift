extension Interactor {
  /// Reacts when a part of the state has another value than before.
  ///
  /// ```swift
  /// .onChange(of: \.query) { state, query in
  ///   .perform(.debounce(for: .milliseconds(300))) { send in … }
  /// }
  /// ```
  ///
  /// Both the actions and the updates that effects send count, once each. What a
  /// modifier behind it, or a later interactor of the same body, changes for an action comes after
  /// the comparison, while updates of all effects are seen: so put it last. The value from before
  /// is kept during the step: observing an array that is mutated in place makes one copy of it.
  ///
  /// - Parameters:
  ///   - value: What to compare.
  ///   - handler: Called after this interactor has handled the action, with the new value.
  @inlinable
  public func onChange<Value: Equatable>(
    of value: KeyPath<State, Value>,
    _ handler: @escaping @MainActor (inout State, Value) -> Emission<State, Action>
  ) -> ResolvedInteractor<State, Action> {
    let base = resolve()
    return ResolvedInteractor(
      initial: base.initial,
      updater: { state, update in
        let before = state.pointee[keyPath: value]
        let emission = base.apply(update, to: state)
        let after = state.pointee[keyPath: value]
        return before == after ? emission : .both(emission, handler(&state.pointee, after))
      },
      handle: { state, action in
        let before = state.pointee[keyPath: value]
        let emission = base.handle(state, action)
        let after = state.pointee[keyPath: value]
        return before == after ? emission : .both(emission, handler(&state.pointee, after))
      })
  }
}
