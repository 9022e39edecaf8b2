/// Runs the ready jobs of effects on the main actor, one at a time, in the order of a chooser.
///
/// A send of an effect reaches the main actor as a job of the main queue. The jobs of that queue
/// run in their order when the drain yields the main actor. The moment of that turn is also a
/// choice: other effects, or the test, may run while a send is in transit.
@MainActor
final class Drain {
  let queue = JobQueue()
  var chooser: EffectChooser
  /// Called before each job, with the executor of its effect.
  var onRun: ((EffectExecutor) -> Void)?
  /// Returns whether no effect and no timer is left.
  var isIdle: () -> Bool = { false }
  /// Wakes the next sleeper of the clock; `nil` if only the test advances the clock.
  var wakeNext: (() -> Bool)?
  /// Returns whether `wakeNext` would wake a sleeper.
  var canWake: () -> Bool = { false }
  /// The promise about things that effects share, for an enumeration and repetitions of its trials.
  var sharing = ExplorationOptions.Sharing.anything
  /// Whether the test only sends actions.
  var testSharesOnlyState = false
  /// Records how the runtime was used since the last step, if effects share only the state.
  let uses = StepUses()
  /// The footprint of the last step, until the step has ended.
  private var footprint: Footprint?
  /// Effects whose jobs ran since the main actor's last turn.
  ///
  /// These effects may have sent jobs to the main actor.
  private var senders: Set<Turn> = []

  /// A drain ends after this number of main actor turns without a job.
  ///
  /// One turn handles the jobs that were sent to the main actor before it. The next turn handles
  /// the jobs that the first turn sent. Several turns may therefore pass between two steps of
  /// effects.
  private static let quietTurns = 8

  /// The maximum number of jobs before the main actor gets a turn.
  ///
  /// Otherwise, an effect that never waits could run forever if the chooser always takes the first
  /// option. The test would then not end at its time limit.
  private static let longestRun = 10_000
  private var jobsInARow = 0

  /// The number of steps in which the effects of a test model must come to rest, by default.
  ///
  /// A test with thousands of effects needs tens of thousands. In a debug build, a step takes tens
  /// of microseconds, so an endless effect is found within seconds.
  static let defaultStepLimit = 100_000
  /// The number of steps of each call of `settle`, or of all calls together.
  private(set) var stepLimit = Drain.defaultStepLimit
  /// Whether all calls share the steps.
  private var sharesSteps = false
  /// The number of steps that are left.
  private var stepsLeft = Drain.defaultStepLimit
  /// Called when the steps are used up while the test itself waits.
  ///
  /// The test may wait for an effect that does not run any more.
  var onStarvation: (() -> Void)?
  /// Whether the steps are used up; nothing runs then.
  private(set) var isExhausted = false

  init(_ chooser: EffectChooser) {
    self.chooser = chooser
    queue.onUnattendedJob { [weak self] in
      _ = Task { @MainActor in await self?.goOnWhileTestWaits() }
    }
  }

  /// Runs everything that can run, until only work remains that waits for time or input.
  ///
  /// Returns early when the task is cancelled: a test that exceeds its time limit must end. Also
  /// returns early when the steps are used up: an effect may run forever.
  func settle() async {
    queue.attend()
    defer { queue.leave() }
    if !sharesSteps { stepsLeft = stepLimit }
    var quiet = 0
    while quiet < Self.quietTurns, !Task.isCancelled, !isExhausted {
      let count = queue.count
      // An enumeration also sees the turns that the main actor gets without a choice.
      if count > 0 || (chooser.isEnumerating && !senders.isEmpty) {
        quiet = 0
        let turn = choose(count, canReturn: false)
        if turn != .mainActor, jobsInARow < Self.longestRun {
          await completeStep()
          continue
        }
      } else if senders.isEmpty, isIdle() {
        return
      }
      await giveMainActorATurn()
      if queue.count == 0 { quiet += 1 }
      if quiet == Self.quietTurns, wakeNext?() == true { quiet = 0 }
    }
  }

  /// Runs a chosen part of the ready jobs, maybe none.
  func runSome() async {
    queue.attend()
    defer { queue.leave() }
    while !Task.isCancelled, !isExhausted {
      let count = queue.count
      // An enumeration also sees the actions that the test sends without a choice.
      if count == 0, senders.isEmpty, !canWake(), !chooser.isEnumerating { return }
      switch choose(count, canReturn: true) {
      case .test: return
      case .mainActor: await giveMainActorATurn()
      case .effect where jobsInARow == Self.longestRun: await giveMainActorATurn()
      case .effect, .clock: await completeStep()
      }
    }
  }

  /// Limits the steps of each call, or of all calls together.
  func limitSteps(to limit: Int, inAllCalls sharesSteps: Bool) {
    precondition(limit > 0, "Effects need at least one step.")
    self.sharesSteps = sharesSteps
    stepLimit = limit
    stepsLeft = limit
  }

  /// Lets cancelled effects end, even after the steps were used up.
  func settleCancelled() async {
    let wasExhausted = isExhausted
    isExhausted = false
    stepsLeft = stepLimit
    await settle()
    // In a cancelled test, nothing has run.
    if wasExhausted, Task.isCancelled { isExhausted = true }
  }

  /// Abandons the jobs.
  ///
  /// They may end on other executors. Jobs of effects that ignore their cancellation never run
  /// again, because they would keep a thread busy for ever.
  func abandon() {
    if isExhausted { queue.drop() } else { queue.abandon() }
  }

  /// Runs jobs while the test itself waits, for example for an actor that an effect uses.
  ///
  /// It starts when a job becomes ready outside of a drain. The main actor gets its turns first:
  /// usually the test continues in one of them, and this method ends. The order therefore depends
  /// only on the main actor's queue, unless the test waits for something outside of it.
  private func goOnWhileTestWaits() async {
    defer {
      queue.endWatch(forGood: isExhausted)
      if isExhausted { onStarvation?() }
    }
    if !sharesSteps { stepsLeft = stepLimit }
    var quiet = 0
    while !queue.isAttended, queue.count > 0, !isExhausted {
      await giveMainActorATurn()
      quiet += 1
      if quiet < Self.quietTurns || queue.isAttended { continue }
      let count = queue.count
      if count == 0 { return }
      _ = choose(count, canReturn: false, onlyJobs: true)
      quiet = 0
    }
  }

  /// Stores the footprint of the last step.
  ///
  /// A step ends with the next choice, or with the trial.
  func endStep() {
    guard var footprint else { return }
    self.footprint = nil
    if sharing != .anything { footprint.add(uses.take()) }
    chooser.record(footprint)
  }

  /// Lets the main actor handle the sends of the last step.
  ///
  /// Effects that share only the state need no choices between a send and its handling. Only the
  /// order in which the sends are handled counts, and each order can be reached by running the
  /// effects in that order.
  private func completeStep() async {
    guard sharing != .anything else { return }
    var turns = 0
    while !senders.isEmpty || (turns > 0 && turns < Self.quietTurns && uses.isEmpty) {
      await giveMainActorATurn()
      turns += 1
    }
  }

  /// Chooses one of the possible steps, and runs it unless the caller must run it.
  private func choose(_ count: Int, canReturn: Bool, onlyJobs: Bool = false) -> Turn {
    endStep()
    footprint = .unknown
    let canTurn = !onlyJobs && !senders.isEmpty
    let canPassTime = !onlyJobs && canWake()
    let options = count + (canTurn ? 1 : 0) + (canPassTime ? 1 : 0) + (canReturn ? 1 : 0)
    let choice = chooser.choose(options) {
      PossibleSteps(
        jobs: queue.turns, senders: canTurn ? senders : [], canPassTime: canPassTime,
        canReturn: canReturn)
    }
    if choice < options - (canReturn ? 1 : 0) {
      stepsLeft -= 1
      if stepsLeft < 0 { isExhausted = true }
    }
    if choice < count {
      jobsInARow += 1
      let (effect, footprint) = queue.run(choice, willRun: onRun)
      if footprint.sends { senders.insert(effect.turn) }
      self.footprint = sharing != .anything ? Self.withoutUnknown(footprint, effect) : footprint
      return effect.turn
    }
    if canTurn, choice == count { return .mainActor }
    if canPassTime, choice == count + (canTurn ? 1 : 0) {
      _ = wakeNext?()
      return .clock
    }
    if sharing != .anything, testSharesOnlyState { footprint = Footprint(objects: []) }
    return .test
  }

  /// The footprint of an effect's step if effects share only the state and named objects.
  private static func withoutUnknown(
    _ footprint: Footprint, _ effect: EffectExecutor
  ) -> Footprint {
    // A timer belongs to several effects.
    guard let number = effect.number else { return .unknown }
    var objects = footprint.objects ?? []
    objects.insert(StepUses.name(ofEffect: number))
    return Footprint(objects: objects)
  }

  /// Lets the main actor run the jobs that were sent to it before.
  ///
  /// `Task.yield()` would pass through the concurrent executor's threads. So the number of main
  /// actor jobs that run before it returns would depend on the load of the machine.
  private func giveMainActorATurn() async {
    senders = []
    jobsInARow = 0
    await withTaskExecutorPreference(MainTurnExecutor.shared) {
      await withUnsafeContinuation { continuation in
        _ = Task { @MainActor in continuation.resume() }
      }
    }
  }
}
