extension Interactor {
  /// Shares a part of the state with other features.
  ///
  /// ```swift
  /// Interact<State, Action>(initialValue: State()) { state, action in
  ///   switch action {
  ///   case .add(let meeting): state.meetings.append(meeting)
  ///   }
  ///   return .state
  /// }
  /// .sharing(\.meetings, meetings)
  /// ```
  ///
  /// The handlers and updates of this interactor see the latest value, and their changes reach all
  /// other features; see ``SharedValue``. The value of the object replaces the value in the initial
  /// state. A parent that makes the state of a child need not set the part.
  ///
  /// Make it the first modifier, before the children are added. If a child and this interactor both
  /// change the value for the same action, this interactor then sees the change of the child.
  /// `onChange` does not see a change by another feature. To react to such a change, observe
  /// ``SharedValue/values``.
  ///
  /// Complexity: a step of a tree with shared values visits all features that exist, and compares
  /// their values. In rows, that is O(*n*) in their number. A change copies the value if it is an
  /// array.
  ///
  /// - Parameters:
  ///   - part: The value in the state of this interactor.
  ///   - value: The shared value.
  public func sharing<Value>(
    _ part: WritableKeyPath<State, Value>, _ value: SharedValue<Value>
  ) -> ResolvedInteractor<State, Action> {
    let base = resolve()
    let shared = SharedPart(part: StatePart(part), value: value)
    return ResolvedInteractor(
      initial: base.initial,
      updater: { state, update in shared.around(state) { base.apply(update, to: state) } },
      exchange: .both(
        base.exchange,
        SharedExchange(
          visit: { state, step in step.exchange(state, shared.part, shared.value) },
          canShare: { _ in true })),
      handle: { state, action, values in
        shared.around(state) { base.handle(state, action, values) }
      })
  }
}

/// A part of a state that has a shared value.
@MainActor
private struct SharedPart<State, Value: Equatable & Sendable> {
  let part: StatePart<State, Value>
  let value: SharedValue<Value>

  /// Runs a handler or an update with the latest value, and then shares the changed value.
  func around<Result>(_ state: UnsafeMutablePointer<State>, _ body: () -> Result) -> Result {
    guard let step = SharedStep.current else { return body() }
    let before = step.value(of: value)
    if part.look(state, { !Sameness.areSame($0.pointee, before) }) {
      part.modify(state) { $0.pointee = before }
    }
    let result = body()
    let after = part.look(state) { $0.pointee }
    if !Sameness.areSame(before, after) { step.set(value, after) }
    return result
  }
}
