/// Runs the ready jobs of effects on the main actor, one at a time, in an order that a chooser
/// decides.
///
/// What an effect sends reaches the main actor as a job of the main queue. Those run, in their
/// order, when the drain lets the main actor go round once. When that happens is a choice as
/// well: a send may be on its way while other effects, or the test, do something.
@MainActor
final class Drain {
  let queue = JobQueue()
  var chooser: Chooser
  /// Called for each job that is about to run, with its effect's executor.
  var onRun: ((EffectExecutor) -> Void)?
  /// Tells that nothing can happen any more.
  var isIdle: () -> Bool = { false }
  /// Whether jobs may have sent something to the main actor since it last went round.
  private var isMainActorDue = false

  /// How often the main actor goes round in vain before the drain ends.
  ///
  /// One round takes in what was sent to the main actor before it, and the next one what that sent
  /// in turn: so many turns of the main actor may pass between two steps of effects.
  private static let quietRounds = 8

  /// How many jobs run at most before the main actor has a turn, chosen or not.
  ///
  /// An effect that never waits would otherwise keep even a time limit from ending the test, where
  /// the first option is always chosen.
  private static let longestRun = 10_000
  private var jobsInARow = 0

  init(_ chooser: Chooser) {
    self.chooser = chooser
  }

  /// Runs everything that can run, until what is left waits for time or input.
  ///
  /// Leaves it at that when the task is cancelled, because an effect may go on for ever: then a
  /// test ends that is over its time limit.
  func settle() async {
    var quiet = 0
    while quiet < Self.quietRounds, !Task.isCancelled {
      let count = queue.count
      if count > 0 {
        quiet = 0
        let isJob = chooseJob(count, others: isMainActorDue ? 1 : 0) == nil
        if isJob, jobsInARow < Self.longestRun { continue }
      } else if !isMainActorDue, isIdle() {
        return
      }
      await goRound()
      if queue.count == 0 { quiet += 1 }
    }
  }

  /// Runs a chosen part of what is ready, maybe nothing.
  func runSome() async {
    while !Task.isCancelled {
      let count = queue.count
      if count == 0, !isMainActorDue { return }
      // Everything ready, then the main actor's turn, then to leave it at that.
      let others = isMainActorDue ? 2 : 1
      switch chooseJob(count, others: others) {
      case nil where jobsInARow == Self.longestRun: await goRound()
      case nil: continue
      case 0 where others == 2: await goRound()
      default: return
      }
    }
  }

  /// Runs a chosen job and returns `nil`, or returns which of the other options was chosen.
  private func chooseJob(_ count: Int, others: Int) -> Int? {
    let choice = chooser.choose(count + others)
    guard choice < count else { return choice - count }
    isMainActorDue = true
    jobsInARow += 1
    queue.run(choice, willRun: onRun)
    return nil
  }

  /// Lets the main actor do what it was sent before.
  ///
  /// `Task.yield()` would take the way over the concurrent executor's threads, and so would
  /// return after more or fewer jobs of the main actor, depending on how busy the machine is.
  private func goRound() async {
    isMainActorDue = false
    jobsInARow = 0
    await withTaskExecutorPreference(MainTurnExecutor.shared) {
      await withUnsafeContinuation { continuation in
        _ = Task { @MainActor in continuation.resume() }
      }
    }
  }
}
