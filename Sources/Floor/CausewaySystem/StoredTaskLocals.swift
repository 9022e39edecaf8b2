private import Synchronization

/// Stores the current task-local values, which identify the running test.
///
/// An isolated `deinit` has no task-local values. A task has the values of the code that made it.
/// This type therefore makes a task, holds it before its first step, and runs it when there is work.
package final class StoredTaskLocals: Sendable {
  private final class Work: Sendable {
    let closure = Mutex<(@Sendable () -> Void)?>(nil)
  }

  private let jobs = HeldJobs()
  private let work = Work()

  package init() {
    _ = Task(executorPreference: jobs) { @concurrent [work] in
      work.closure.withLock { $0.take() }?()
    }
  }

  // A task that never ran would never be freed.
  deinit {
    jobs.run()
  }

  /// Runs a closure with the stored values, and returns.
  ///
  /// Call it only once.
  package func perform(_ work: @escaping @Sendable () -> Void) {
    self.work.closure.withLock { $0 = work }
    jobs.run()
  }
}
