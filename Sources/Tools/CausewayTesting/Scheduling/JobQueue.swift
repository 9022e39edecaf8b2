import Causeway
import Synchronization

/// The ready jobs of effects.
///
/// A test runs them one at a time, in the order that it chooses.
final class JobQueue: Sendable {
  private struct ReadyJob {
    let job: UnownedJob
    let executor: EffectExecutor
    /// The objects that the job will use; `nil` if they are unknown.
    let objects: Set<String>?
  }

  private struct Contents {
    var jobs: [ReadyJob] = []
    var executors = EffectExecutors()
    /// The tasks that wait at a suspension point of the running step.
    var suspended: [(task: UnsafeContinuation<Void, Never>, object: String)] = []
    /// The objects of the job that is appended next; `nil` if they are unknown.
    var nextObjects: Set<String>?
    var isAbandoned = false
    var isDropped = false
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

  /// The numbers of the effects whose jobs are ready.
  var readyNumbers: Set<Int> {
    contents.withLock { Set($0.jobs.compactMap(\.executor.number)) }
  }

  /// The effects of the ready jobs.
  var turns: [Turn] { contents.withLock { $0.jobs.map(\.executor.turn) } }

  /// Adds the executor of an effect that starts.
  func add(_ executor: EffectExecutor) {
    let known = contents.withLock { $0.executors.add(executor) }
    withExtendedLifetime(known) {}
  }

  /// The number of the current task's effect, found by the task's executor; `nil` if the effect
  /// does not belong to this queue.
  func effect(on executor: UnownedTaskExecutor) -> Int? {
    contents.withLock { $0.executors.effect(on: executor) }
  }

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
  ///
  /// - Parameter forGood: Whether the closure is not called again.
  func endWatch(forGood: Bool = false) {
    let watch = contents.withLock { contents in
      contents.isWatched = forGood
      return contents.watch()
    }
    watch?()
  }

  /// Adds a job.
  ///
  /// After the end of the test, the job runs on another executor, where it can end.
  ///
  /// - Parameter objects: The objects that the job will use; `nil` if they are unknown.
  func append(
    _ job: UnownedJob, _ executor: EffectExecutor, objects: Set<String>? = nil
  ) {
    let (isAbandoned, watch) = contents.withLock { contents in
      if contents.isDropped { return (false, (@Sendable () -> Void)?.none) }
      if contents.isAbandoned { return (true, (@Sendable () -> Void)?.none) }
      contents.jobs.append(
        ReadyJob(
          job: job, executor: executor, objects: objects ?? contents.nextObjects))
      return (false, contents.watch())
    }
    watch?()
    if isAbandoned { executor.runElsewhere(job) }
  }

  /// Runs one of the ready jobs until it suspends; returns its executor and its footprint.
  ///
  /// The objects are known if the job has begun or ended at a suspension point that names its
  /// object. Otherwise the job may have used anything.
  ///
  /// Complexity: O(*n*) in the number of ready jobs.
  func run(
    _ index: Int, willRun: ((EffectExecutor) -> Void)?
  ) -> (effect: EffectExecutor, footprint: Footprint) {
    let ready = contents.withLock { $0.jobs.remove(at: index) }
    willRun?(ready.executor)
    RunningStep.executor.withLock { $0 = ready.executor }
    ready.executor.run(ready.job)
    RunningStep.executor.withLock { $0 = nil }
    let suspended = contents.withLock { contents in
      defer { contents.suspended = [] }
      return contents.suspended
    }
    for (task, object) in suspended {
      contents.withLock { $0.nextObjects = [object] }
      // This appends the job that continues the task.
      task.resume()
      contents.withLock { $0.nextObjects = nil }
    }
    guard let objects = ready.objects, !suspended.isEmpty || !objects.isEmpty else {
      return (ready.executor, .unknown)
    }
    // A step that does not end at a suspension point waits for the main actor, or has ended.
    let footprint = Footprint(
      objects: objects.union(suspended.map(\.object)), sends: suspended.isEmpty)
    return (ready.executor, footprint)
  }

  /// Keeps a task of the running step until the step has ended.
  func suspend(_ task: UnsafeContinuation<Void, Never>, at object: String) {
    contents.withLock { $0.suspended.append((task, object)) }
  }

  /// Forgets all jobs, including later ones; their tasks never continue.
  func drop() {
    contents.withLock { contents in
      contents.isDropped = true
      contents.jobs = []
    }
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
