private import Synchronization

/// Keeps the task-local values of the place where it is made, which identify the running test.
///
/// An isolated `deinit` has no task-local values. A task has those of the code that made it: this
/// holds a task before its first step, and lets it run when there is work.
final class TestContext: Sendable {
  private let task = HeldTask()

  init() {
    _ = Task(executorPreference: task) { @concurrent [task] in task.takeWork()?() }
  }

  // A task that never ran would never be freed.
  deinit {
    task.goOn(doing: nil)
  }

  /// Runs a closure with the kept values and returns; can be called once.
  func perform(_ work: @escaping @Sendable () -> Void) {
    task.goOn(doing: work)
  }
}

/// The executor of a single task, which it runs when there is work for it.
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
    // Not under the lock, which the task takes to get its work.
    job?.runSynchronously(on: asUnownedTaskExecutor())
  }
}
