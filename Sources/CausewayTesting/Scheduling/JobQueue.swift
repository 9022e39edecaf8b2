import Causeway
import Synchronization

/// The ready jobs of effects.
///
/// A test runs them one at a time, in the order that it chooses.
final class JobQueue: Sendable {
  private struct ReadyJob {
    let job: UnownedJob
    let executor: EffectExecutor
  }

  private struct Contents {
    var jobs: [ReadyJob] = []
    var running: Int?
    var isAbandoned = false
    /// Whether a drain runs the jobs.
    var isAttended = false
    /// Whether the work of `onUnattendedJob` has begun and has not ended.
    var isWatched = false
    var onUnattendedJob: (@Sendable () -> Void)?

    /// Returns the closure to call for jobs outside of any drain.
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

  /// The number of the effect whose job is running.
  var running: Int? { contents.withLock(\.running) }

  var isAttended: Bool { contents.withLock(\.isAttended) }

  /// Sets a closure that is called when a job is ready and no drain runs the queue.
  ///
  /// It is not called again before ``endWatch()``.
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

  /// Adds a job.
  ///
  /// After the end of the test, the job runs on another executor, where it can end.
  func append(_ job: UnownedJob, _ executor: EffectExecutor) {
    let (isAbandoned, watch) = contents.withLock { contents in
      if contents.isAbandoned { return (true, (@Sendable () -> Void)?.none) }
      contents.jobs.append(ReadyJob(job: job, executor: executor))
      return (false, contents.watch())
    }
    watch?()
    if isAbandoned { executor.runElsewhere(job) }
  }

  /// Runs one of the ready jobs until it suspends, and returns its effect.
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

  /// Runs all jobs, including later ones, on another executor.
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

/// The executor of one effect.
///
/// It adds the jobs to the queue, under the effect's name.
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
