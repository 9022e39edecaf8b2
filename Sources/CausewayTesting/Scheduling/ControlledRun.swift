import Causeway

/// A feature whose effects run only when the test says so, and what happened in it.
@MainActor
final class ControlledRun<State: Sendable, Action: Sendable> {
  let drain: Drain
  let clock: TestClock
  private let runtime: ControlledRuntime<State, Action>

  init(
    _ interactor: ResolvedInteractor<State, Action>,
    initialState: State,
    clock: TestClock,
    chooser: Chooser,
    onStep: (@MainActor (Step<State, Action>) -> Void)?,
    onEffect: (@MainActor (EffectEvent) -> Void)? = nil,
    onError: @escaping @MainActor (RuntimeError) -> Void
  ) {
    let drain = Drain(chooser)
    let observer =
      if let onStep, let onEffect {
        StepObserver<State, Action>(onStep, effects: onEffect)
      } else {
        onStep.map { StepObserver<State, Action>($0) }
      }
    let runtime = ControlledRuntime(
      interactor, initialState: initialState, clock: clock, host: QueueHost(drain.queue),
      observer: observer, onError: onError)
    self.drain = drain
    self.clock = clock
    self.runtime = runtime
    // Gone when the model goes away while a clock still settles it.
    drain.isIdle = { [weak runtime] in runtime?.isIdle ?? true }
    clock.attach(drain)
  }

  isolated deinit {
    runtime.close()
    drain.queue.abandon()
  }

  var state: State { runtime.state }

  /// Handles an action.
  func send(_ action: Action) {
    runtime.send(action)
  }

  /// What the effects that have not ended are doing, once everything ran that can run.
  var activities: [EffectActivity] {
    let deadlines = clock.deadlines(in: drain.queue)
    return runtime.effects.map { effect in
      EffectActivity(
        label: effect.id.label(effect.number), place: effect.place.description,
        wait: !effect.isStarted
          ? .turn : deadlines[effect.number].map { .time($0) } ?? .outside)
    }
  }

  /// Cancels everything and lets it come to its end.
  func close() async {
    runtime.close()
    await drain.settle()
  }
}

/// Has the effects of a runtime run on a queue.
@MainActor
private final class QueueHost: EffectHost {
  private let queue: JobQueue

  init(_ queue: JobQueue) {
    self.queue = queue
  }

  func executor(for effect: EffectID, number: Int?) -> any TaskExecutor {
    EffectExecutor(
      effect: effect, number: number, queue: queue)
  }
}
