/// The runtime of a rehearsal, in which a tool sends the results of the effects one by one.
///
/// It keeps the runtime, but not the view model.
@MainActor
package struct RehearsedRuntime<State: Sendable, Action: Sendable> {
  private let runtime: Runtime<State, Action>

  /// - Returns: `nil` if the rehearsal has no runtime with these types.
  package init?(_ rehearsal: EffectRehearsal) {
    guard let runtime = rehearsal.runtime as? Runtime<State, Action> else { return nil }
    self.runtime = runtime
  }

  package var state: State { runtime.box.value }

  /// Handles an action from outside.
  package func send(_ action: Action) {
    _ = runtime.send(action)
  }

  /// Requests an effect as a handler would.
  ///
  /// - Parameters:
  ///   - isApart: Whether the request does not affect the effects with the same id, as in another
  ///     child.
  ///   - number: The effect whose update requests it; `nil` for a handler.
  package func request(_ event: EffectEvent, isApart: Bool = false, from number: Int? = nil) {
    let request = EffectRequest<State, Action>(
      isApart ? nil : event.id.name, event.place, isApart ? .parallel : event.policy ?? .parallel,
      isObservation: event.isObservation)
    let cascade = number.flatMap { effect($0)?.cascade } ?? Cascade(origin: runtime.core.steps)
    runtime.core.turn(nil, isChanged: false) { runtime.carryOut(.effect(request), cascade) }
  }

  /// Whether an effect runs, and thus can answer.
  package func isRunning(_ number: Int) -> Bool { effect(number)?.isHeld == true }

  /// Handles an action as if an effect had sent it.
  package func send(_ action: Action, from number: Int) {
    if let effect = effect(number) { runtime.send(effect, nil, action) }
  }

  /// Repeats a recorded step of an effect.
  package func apply(
    _ change: @escaping StepObserver<State, Action>.StateChange, from number: Int, isFailure: Bool
  ) {
    if let effect = effect(number) { runtime.apply(change, from: effect, isFailure: isFailure) }
  }

  /// Handles an action that an update of an effect has returned.
  package func followUp(_ action: Action, from number: Int) {
    guard let effect = effect(number) else { return }
    runtime.core.turn(nil, isChanged: false) {
      runtime.enqueue(action, effect.cascade, from: runtime)
    }
  }

  /// Ends an effect, as if its work had returned or failed.
  package func end(_ number: Int, isFailure: Bool = false) {
    guard let effect = effect(number) else { return }
    if isFailure { effect.breakSequences() }
    effect.end()
  }

  /// Complexity: O(*n*) in the number of effects.
  private func effect(_ number: Int) -> Effect? {
    runtime.core.runningEffects.first { $0.number == number && !$0.isGroup }
  }
}
