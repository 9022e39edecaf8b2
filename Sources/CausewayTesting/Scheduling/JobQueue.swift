import Causeway
import Synchronization

/// The jobs of effects that are ready to run; a test runs them one at a time, in its own order.
final class JobQueue: Sendable {
  struct ReadyJob {
    let job: UnownedJob
    let executor: EffectExecutor
  }

  private struct Contents {
    var jobs: [ReadyJob] = []
    var running: Int?
    var isAbandoned = false
  }

  private let contents = Mutex(Contents())

  var count: Int { contents.withLock(\.jobs.count) }

  /// The number of the effect whose job runs at this moment.
  var running: Int? {
    contents.withLock(\.running)
  }

  /// Adds a job; one that comes after the end of the test runs elsewhere, so that it can end.
  func append(_ job: UnownedJob, _ executor: EffectExecutor) {
    let isAbandoned = contents.withLock { contents in
      if contents.isAbandoned { return true }
      contents.jobs.append(ReadyJob(job: job, executor: executor))
      return false
    }
    if isAbandoned { executor.runElsewhere(job) }
  }

  /// Runs one of the ready jobs, up to where it suspends.
  ///
  /// Complexity: O(*n*) in the number of ready jobs.
  func run(_ index: Int, willRun: ((EffectExecutor) -> Void)?) {
    let ready = contents.withLock { contents in
      let ready = contents.jobs.remove(at: index)
      contents.running = ready.executor.number
      return ready
    }
    willRun?(ready.executor)
    ready.executor.run(ready.job)
    contents.withLock { $0.running = nil }
  }

  /// Lets whatever is left, or comes later, run elsewhere.
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
  private let queue: JobQueue

  init(effect: EffectID, number: Int?, queue: JobQueue) {
    self.effect = effect
    self.number = number
    self.queue = queue
  }

  /// The effect's name in reports.
  var label: String {
    number.map(effect.label) ?? "the throttle of \(effect)"
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
