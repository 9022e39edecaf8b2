/// A runtime for tests: the runtime of a view model, with its effects on a given host.
@MainActor
package final class ControlledRuntime<State: Sendable, Action: Sendable> {
  private let runtime: Runtime<State, Action>

  /// Makes a runtime.
  ///
  /// It does nothing until the first action.
  package init(
    _ interactor: ResolvedInteractor<State, Action>,
    initialState: State,
    clock: any Clock<Duration>,
    host: any EffectHost,
    observer: StepObserver<State, Action>?,
    onError: @escaping @MainActor (RuntimeError) -> Void
  ) {
    runtime = Runtime(
      interactor, box: StateBox(initialState), clock: clock, host: host, observer: observer,
      onError: onError)
  }

  /// The current state.
  package var state: State { runtime.box.value }

  /// The number of steps so far.
  package var stepCount: Int { runtime.core.steps }

  /// The number of emissions that were carried out.
  package var emissionCount: Int { runtime.core.emissions }

  /// Whether no effect and no timer is left.
  package var isIdle: Bool { runtime.core.effects.isIdle }

  /// Whether a step may end effects by removing a child.
  package var isWatching: Bool { runtime.core.effects.isWatching }

  /// The effects that run, sleep or wait, in the order of their requests.
  package var effects: [RunningEffect] {
    runtime.core.runningEffects.filter { !$0.isGroup }.map {
      RunningEffect(
        number: $0.number, id: $0.id, place: $0.place, isStarted: $0.task != nil,
        isObservation: $0.cascade.isObservation)
    }
  }

  /// Handles an action; see ``ViewModel/send(_:)``.
  @discardableResult
  package func send(_ action: Action) -> ActionTask {
    runtime.send(action)
  }

  /// Cancels all effects and timers, permanently.
  package func close() {
    runtime.core.close()
  }
}

extension ResolvedInteractor {
  /// Changes a state as an action does, without starting effects.
  ///
  /// - Parameter values: The values that the handlers read if no interactor provides other values.
  @discardableResult
  package func replay(
    _ action: Action, on state: inout State, values: ProvidedValues = ProvidedValues()
  ) -> Emission<State, Action> {
    withUnsafeMutablePointer(to: &state) { state in
      SharedStep.repeating(state, exchange) { handle(state, action, values) }
    }
  }
}
