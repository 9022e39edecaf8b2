private import Synchronization

/// Stores the current task-local values, which identify the running test.
///
/// An isolated `deinit` has no task-local values. A task has the values of the code that made it.
/// This type therefore makes a task, suspends it before its first step, and runs it when there is
/// work.
final class TestContext: Sendable {
  private let task = HeldTask()

  init() {
    _ = Task(executorPreference: task) { @concurrent [task] in task.takeWork()?() }
  }

  // A task that never ran would never be freed.
  deinit {
    task.goOn(doing: nil)
  }

  /// Runs a closure with the stored values, and returns.
  ///
  /// Call it only once.
  func perform(_ work: @escaping @Sendable () -> Void) {
    task.goOn(doing: work)
  }
}

/// The executor of a single task.
///
/// It runs the task when there is work.
private final class HeldTask: TaskExecutor {
  private struct Contents {
    var job: UnownedJob?
    var work: (@Sendable () -> Void)?
  }

  private let contents = Mutex(Contents())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    contents.withLock { $0.job = job }
  }

  func takeWork() -> (@Sendable () -> Void)? {
    contents.withLock { $0.work.take() }
  }

  func goOn(doing work: (@Sendable () -> Void)?) {
    let job = contents.withLock { contents in
      guard contents.job != nil else { return UnownedJob?.none }
      contents.work = work
      return contents.job.take()
    }
    // The lock is not held here, because the task takes the lock to get its work.
    job?.runSynchronously(on: asUnownedTaskExecutor())
  }
}
