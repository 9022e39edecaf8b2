import Causeway
import Synchronization

/// The jobs of effects that are ready to run; a test runs them one at a time, in its own order.
final class JobQueue: Sendable {
  private struct ReadyJob {
    let job: UnownedJob
    let executor: EffectExecutor
  }

  private struct Contents {
    var jobs: [ReadyJob] = []
    var running: Int?
    var isAbandoned = false
    /// Whether a drain looks after the jobs.
    var isAttended = false
    /// Whether `onUnattendedJob` was called and has not come to its end.
    var isWatched = false
    var onUnattendedJob: (@Sendable () -> Void)?

    /// Returns what to call for jobs that no drain looks after.
    mutating func watch() -> (@Sendable () -> Void)? {
      if isAttended || isWatched || jobs.isEmpty { return nil }
      isWatched = true
      return onUnattendedJob
    }
  }

  private let contents = Mutex(Contents())

  var count: Int { contents.withLock(\.jobs.count) }

  /// The effects of the ready jobs.
  var turns: [Turn] { contents.withLock { $0.jobs.map(\.executor.turn) } }

  /// The number of the effect whose job runs at this moment.
  var running: Int? { contents.withLock(\.running) }

  var isAttended: Bool { contents.withLock(\.isAttended) }

  /// Has a closure called when a job gets ready, or is left, and no drain looks after the queue;
  /// not again before ``endWatch()``.
  func onUnattendedJob(_ action: @escaping @Sendable () -> Void) {
    contents.withLock { $0.onUnattendedJob = action }
  }

  /// Begins a drain.
  func attend() {
    contents.withLock { $0.isAttended = true }
  }

  /// Ends a drain.
  func leave() {
    let watch = contents.withLock { contents in
      contents.isAttended = false
      return contents.watch()
    }
    watch?()
  }

  /// Ends the work of `onUnattendedJob`.
  func endWatch() {
    let watch = contents.withLock { contents in
      contents.isWatched = false
      return contents.watch()
    }
    watch?()
  }

  /// Adds a job; one that comes after the end of the test runs elsewhere, so that it can end.
  func append(_ job: UnownedJob, _ executor: EffectExecutor) {
    let (isAbandoned, watch) = contents.withLock { contents in
      if contents.isAbandoned { return (true, (@Sendable () -> Void)?.none) }
      contents.jobs.append(ReadyJob(job: job, executor: executor))
      return (false, contents.watch())
    }
    watch?()
    if isAbandoned { executor.runElsewhere(job) }
  }

  /// Runs one of the ready jobs, up to where it suspends, and returns whose it was.
  ///
  /// Complexity: O(*n*) in the number of ready jobs.
  func run(_ index: Int, willRun: ((EffectExecutor) -> Void)?) -> Turn {
    let ready = contents.withLock { contents in
      let ready = contents.jobs.remove(at: index)
      contents.running = ready.executor.number
      return ready
    }
    willRun?(ready.executor)
    ready.executor.run(ready.job)
    contents.withLock { $0.running = nil }
    return ready.executor.turn
  }

  /// Lets all jobs, also those that come later, run elsewhere.
  func abandon() {
    let jobs = contents.withLock { contents in
      contents.isAbandoned = true
      defer { contents.jobs = [] }
      return contents.jobs
    }
    for ready in jobs {
      ready.executor.runElsewhere(ready.job)
    }
  }
}

/// The executor of one effect: its jobs go to the queue, under the effect's name.
final class EffectExecutor: TaskExecutor {
  let effect: EffectID
  /// The effect's number; `nil` for a timer.
  let number: Int?
  let turn: Turn
  private let queue: JobQueue

  init(effect: EffectID, number: Int?, turn: Turn, queue: JobQueue) {
    self.effect = effect
    self.number = number
    self.turn = turn
    self.queue = queue
  }

  func enqueue(_ job: consuming ExecutorJob) {
    queue.append(UnownedJob(job), self)
  }

  func run(_ job: UnownedJob) {
    job.runSynchronously(on: asUnownedTaskExecutor())
  }

  func runElsewhere(_ job: UnownedJob) {
    Task { @concurrent in self.run(job) }
  }
}
