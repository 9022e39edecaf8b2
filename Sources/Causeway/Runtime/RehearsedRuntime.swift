/// The runtime of a rehearsal: a tool gives the answers of its effects, one by one.
///
/// It holds the runtime weakly; its view model keeps it alive.
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
  package func request(_ event: EffectEvent) {
    let request = EffectRequest<State, Action>(
      event.id.name, event.place, event.policy ?? .parallel, isObservation: event.isObservation)
    runtime.core.turn(nil, isChanged: false) {
      runtime.carryOut(.effect(request), Cascade(origin: runtime.core.steps))
    }
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

  /// Ends an effect, as if its work had returned.
  package func end(_ number: Int) {
    effect(number)?.end()
  }

  /// Complexity: O(*n*) in the number of effects.
  private func effect(_ number: Int) -> Effect? {
    runtime.core.effects.all.first { $0.number == number && !$0.isGroup }
  }
}
