/// A runtime for tests: the same one that a view model runs on, with its effects on a given host.
@MainActor
package final class ControlledRuntime<State: Sendable, Action: Sendable> {
  private let runtime: Runtime<State, Action>

  /// Makes a runtime; nothing runs until the first action.
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
      derive: nil, onError: onError)
  }

  /// The state at this moment.
  package var state: State { runtime.box.value }

  /// How many steps there have been.
  package var stepCount: Int { runtime.core.steps }

  /// Whether neither an effect nor a timer could do anything any more.
  package var isIdle: Bool { runtime.core.effects.isIdle }

  /// The effects that run, sleep or wait, in the order in which they were asked for.
  package var effects: [RunningEffect] {
    runtime.core.effects.all.filter { !$0.isGroup }.sorted { $0.number < $1.number }.map {
      RunningEffect(number: $0.number, id: $0.id, place: $0.place, isStarted: $0.task != nil)
    }
  }

  /// Handles an action; see ``ViewModel/send(_:)``.
  @discardableResult
  package func send(_ action: Action) -> ActionTask {
    runtime.send(action)
  }

  /// Cancels everything, for good.
  package func close() {
    runtime.core.close()
  }
}

/// An effect that has not ended.
package struct RunningEffect: Sendable {
  /// Counts the effects of a runtime, from 1 on.
  package let number: Int
  /// The effect's id.
  package let id: EffectID
  /// Where it was asked for.
  package let place: EffectPlace
  /// False while it waits for its turn.
  package let isStarted: Bool
}

extension ResolvedInteractor {
  /// Changes a state as an action does, and starts nothing.
  @MainActor
  @discardableResult
  package func replay(_ action: Action, on state: inout State) -> Emission<State, Action> {
    withUnsafeMutablePointer(to: &state) { handle($0, action) }
  }
}
