/// Resumes a task at the main actor's next turn, without a detour through other threads.
///
/// Even in a task of the main actor, a resumed continuation first passes through the threads of the
/// concurrent executor. So the number of main actor jobs that run before it returns would depend on
/// the load of those threads. A task that prefers this executor returns at its turn in the main
/// actor's queue.
///
/// The task does not run inside of the code that resumes it. That code may hold a lock, or may be a
/// cancellation handler.
final class MainTurnExecutor: TaskExecutor {
  static let shared = MainTurnExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    _ = Task { @MainActor in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
