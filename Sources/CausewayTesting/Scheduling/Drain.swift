/// Runs the ready jobs of effects on the main actor, one at a time, in an order that a chooser
/// decides.
///
/// A send of an effect reaches the main actor as a job of the main queue. Those jobs run, in their
/// order, when the drain gives the main actor a turn. The time of that turn is a choice as well:
/// other effects, or the test, may do something while a send is on its way.
@MainActor
final class Drain {
  let queue = JobQueue()
  var chooser: Chooser
  /// Called for each job that is about to run, with its effect's executor.
  var onRun: ((EffectExecutor) -> Void)?
  /// Returns whether neither an effect nor a timer can do anything any more.
  var isIdle: () -> Bool = { false }
  /// Wakes the next sleeper of the clock; `nil` where time passes only when the test moves it.
  var wakeNext: (() -> Bool)?
  /// Returns whether `wakeNext` would wake a sleeper.
  var canWake: () -> Bool = { false }
  /// The effects whose jobs ran since the main actor's last turn, and may have sent it something.
  private var senders: Set<Turn> = []

  /// How many turns of the main actor have to pass without a job before a drain ends.
  ///
  /// One turn handles what was sent to the main actor before it, and the next one what that sent
  /// in turn: so many of them may pass between two steps of effects.
  private static let quietTurns = 8

  /// How many jobs run at most before the main actor has a turn, chosen or not.
  ///
  /// An effect that never waits would otherwise keep even a time limit from ending the test, where
  /// the first option is always chosen.
  private static let longestRun = 10_000
  private var jobsInARow = 0

  init(_ chooser: Chooser) {
    self.chooser = chooser
    queue.onUnattendedJob { [weak self] in
      _ = Task { @MainActor in await self?.goOnWhileTestWaits() }
    }
  }

  /// Runs everything that can run, until the rest waits for time or input.
  ///
  /// Returns early when the task is cancelled, because an effect may run for ever: so a test that
  /// is over its time limit ends.
  func settle() async {
    queue.attend()
    defer { queue.leave() }
    var quiet = 0
    while quiet < Self.quietTurns, !Task.isCancelled {
      let count = queue.count
      if count > 0 {
        quiet = 0
        let isMainTurn = choose(count, canReturn: false) == .mainActor
        if !isMainTurn, jobsInARow < Self.longestRun { continue }
      } else if senders.isEmpty, isIdle() {
        return
      }
      await giveMainActorATurn()
      if queue.count == 0 { quiet += 1 }
      if quiet == Self.quietTurns, wakeNext?() == true { quiet = 0 }
    }
  }

  /// Runs a chosen part of what is ready, maybe nothing.
  func runSome() async {
    queue.attend()
    defer { queue.leave() }
    while !Task.isCancelled {
      let count = queue.count
      if count == 0, senders.isEmpty, !canWake() { return }
      switch choose(count, canReturn: true) {
      case .test: return
      case .mainActor: await giveMainActorATurn()
      case .effect where jobsInARow == Self.longestRun: await giveMainActorATurn()
      case .effect, .clock: continue
      }
    }
  }

  /// Runs jobs while the test itself waits, for an actor that an effect uses for example.
  ///
  /// A job that gets ready outside of a drain is the occasion. The main actor has its turns first:
  /// usually the test goes on in one of them, and then this ends. So the order depends only on the
  /// main actor's queue, unless the test waits for something outside of it.
  private func goOnWhileTestWaits() async {
    defer { queue.endWatch() }
    var quiet = 0
    while !queue.isAttended, queue.count > 0 {
      await giveMainActorATurn()
      quiet += 1
      if quiet < Self.quietTurns || queue.isAttended { continue }
      let count = queue.count
      if count == 0 { return }
      _ = choose(count, canReturn: false, onlyJobs: true)
      quiet = 0
    }
  }

  /// Chooses one of the possible steps, and takes it unless it is up to the caller.
  private func choose(_ count: Int, canReturn: Bool, onlyJobs: Bool = false) -> Turn {
    let canTurn = !onlyJobs && !senders.isEmpty
    let canPassTime = !onlyJobs && canWake()
    let options = count + (canTurn ? 1 : 0) + (canPassTime ? 1 : 0) + (canReturn ? 1 : 0)
    let choice = chooser.choose(options) {
      PossibleSteps(
        jobs: queue.turns, senders: canTurn ? senders : [], canPassTime: canPassTime,
        canReturn: canReturn)
    }
    if choice < count {
      jobsInARow += 1
      let turn = queue.run(choice, willRun: onRun)
      senders.insert(turn)
      return turn
    }
    if canTurn, choice == count { return .mainActor }
    if canPassTime, choice == count + (canTurn ? 1 : 0) {
      _ = wakeNext?()
      return .clock
    }
    return .test
  }

  /// Lets the main actor do what it was sent before.
  ///
  /// `Task.yield()` would pass through the concurrent executor's threads. It would return after
  /// more or fewer jobs of the main actor, depending on how busy the machine is.
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

/// Resumes a task at the main actor's next turn, without the way through the concurrent executor.
///
/// A continuation that is resumed passes through the threads of that executor first, also in a task
/// of the main actor: the number of main actor jobs before it is back would depend on how busy they
/// are. A task that prefers this executor is back when its turn in the main actor's queue comes.
///
/// It does not run the task at once, in the code that resumes it: that may hold a lock, or be a
/// cancellation.
final class MainTurnExecutor: TaskExecutor {
  static let shared = MainTurnExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    _ = Task { @MainActor in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
