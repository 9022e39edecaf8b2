import Causeway
import Synchronization

/// A feature whose effects run only under the control of the test.
@MainActor
final class ControlledRun<State: Sendable, Action: Sendable> {
  /// Receives the steps and the effect events between them.
  struct Observer {
    let onStep: @MainActor (Step<State, Action>) -> Void
    let onEffect: @MainActor (EffectEvent) -> Void
  }

  let drain: Drain
  let names = EffectNames<State, Action>()
  private let clock: TestClock
  private let host: QueueHost
  private let defaultReads = DefaultReads()
  private let onError: @MainActor (RuntimeError) -> Void
  private let runtime: ControlledRuntime<State, Action>
  private let changes: ChangeComparison<State>?

  init(
    _ interactor: ResolvedInteractor<State, Action>,
    initialState: State,
    clock: TestClock,
    chooser: EffectChooser,
    sharing: ExplorationOptions.Sharing = .anything,
    observer: Observer?,
    onError: @escaping @MainActor (RuntimeError) -> Void
  ) {
    let drain = Drain(chooser)
    let host = QueueHost(drain.queue)
    drain.sharing = sharing
    let uses = sharing == .anything ? nil : drain.uses
    drain.uses.seesChanges = sharing == .fields
    let comparesChanges = sharing == .fields && chooser.isEnumerating
    let changes = comparesChanges ? ChangeComparison<State>() : nil
    self.changes = changes
    typealias StateChange = StepObserver<State, Action>.StateChange
    var addChange: (@MainActor (Step<State, Action>, @escaping StateChange) -> Void)?
    if let changes {
      addChange = { [uses = drain.uses] step, change in
        changes.add(change, step: uses.stepCount, before: step.before, after: step.after)
      }
    }
    var stepObserver: StepObserver<State, Action>?
    if observer != nil || uses != nil {
      stepObserver = StepObserver<State, Action>(
        { [names] step in
          names.add(step)
          uses?.addStep()
          observer?.onStep(step)
        },
        effects: { [names] event in
          names.add(event)
          uses?.add(event)
          observer?.onEffect(event)
        },
        changes: addChange)
    }
    let values = ProvidedValues(reportingTo: { [defaultReads] in defaultReads.add($0) })
      .setting(.clock, to: clock)
    let runtime = ControlledRuntime(
      interactor.withValues { _ in values }, initialState: initialState, clock: clock, host: host,
      observer: stepObserver,
      onError: onError)
    self.drain = drain
    self.clock = clock
    self.host = host
    self.runtime = runtime
    self.onError = onError
    // The clock may still use the drain after the model was released.
    drain.isIdle = { [weak runtime] in runtime?.isIdle ?? true }
    uses?.emissionCount = { [weak runtime] in runtime?.emissionCount ?? 0 }
    uses?.isWatching = { [weak runtime] in runtime?.isWatching ?? true }
    clock.attach(drain)
  }

  isolated deinit {
    runtime.close()
    drain.abandon()
  }

  var state: State { runtime.state }

  /// Reports the defaults of the app that were read since the last call.
  ///
  /// Reads are collected because effects read at any time, and handlers read during a step.
  func reportDefaultReads() {
    for error in defaultReads.takeAll() { onError(error) }
  }

  /// The number of effects that were started and have ended, including cancelled effects.
  var endedEffectCount: Int {
    host.startedCount - runtime.effects.count(where: \.isStarted)
  }

  /// Handles an action.
  ///
  /// - Parameter index: The index of the action in the script of the test.
  @discardableResult
  func send(_ action: Action, index: Int = 0) -> ActionTask {
    host.beginAction(index)
    defer { host.endAction() }
    return runtime.send(action)
  }

  /// The effects that have not ended, with the reason why each of them waits.
  var activities: [EffectActivity] {
    let deadlines = clock.deadlines(in: drain.queue)
    let ready = drain.queue.readyNumbers
    return runtime.effects.map { effect in
      let wait: EffectActivity.Wait =
        if !effect.isStarted {
          .turn
        } else if let deadline = deadlines[effect.number] {
          .time(deadline)
        } else {
          ready.contains(effect.number) ? .nothing : .outside
        }
      return EffectActivity(
        id: effect.id, label: names.label(effect.id, effect.number), place: effect.place.shortText,
        wait: wait, isObservation: effect.isObservation)
    }
  }

  /// Describes effects that have used up their steps; `nil` if there are none.
  var endlessness: String? {
    if !drain.isExhausted { return nil }
    return "These effects have not come to rest:\(activities.map { "\n  \($0)" }.joined())"
  }

  /// The choices so far.
  ///
  /// The changes of an enumeration are repeated on copies of the state, to find the changes whose
  /// order counts.
  func endChoices() -> EffectChooser {
    drain.endStep()
    if let changes { drain.chooser.findConflicts(changes) }
    return drain.chooser
  }

  /// Advances the time while effects run, up to a limit on the clock.
  func letTimePass(upTo limit: TestClock.Instant) {
    drain.canWake = { [clock] in clock.hasSleeper(until: limit) }
    drain.wakeNext = { [clock] in clock.wakeFirst(until: limit) }
  }

  /// Cancels all effects, and returns after they have ended.
  func close() async {
    runtime.close()
    await drain.settleCancelled()
  }
}

/// Runs the effects of a runtime on a queue.
@MainActor
private final class QueueHost: EffectHost {
  private(set) var startedCount = 0
  private let queue: JobQueue
  /// The index of the action that the test is sending; negative between actions.
  private var action = -1
  private var numbers: [Int: Int] = [:]

  init(_ queue: JobQueue) {
    self.queue = queue
  }

  func beginAction(_ index: Int) {
    action = index
  }

  func endAction() {
    action = -1
  }

  func executor(for effect: EffectID, number: Int?) -> any TaskExecutor {
    let place = numbers[action, default: 0]
    numbers[action] = place + 1
    let executor = EffectExecutor(
      effect: effect, number: number, turn: .effect(action: action, number: place), queue: queue)
    if number != nil {
      startedCount += 1
      queue.add(executor)
    }
    return executor
  }
}
