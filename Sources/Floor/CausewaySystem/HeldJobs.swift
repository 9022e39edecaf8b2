private import Synchronization

/// An executor whose jobs wait until a thread runs them.
package final class HeldJobs: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs the jobs on the current thread, until there are none.
  package func run() {
    // The lock is not held here, because a job can add another job.
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
