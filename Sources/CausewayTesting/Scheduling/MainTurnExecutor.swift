/// Has a task go on at the main actor's next turn, without the way over the concurrent executor.
///
/// A continuation that is resumed goes by the threads of that executor first, also in a task of the
/// main actor: how much the main actor does until it is back would depend on how busy they are. A
/// task that prefers this executor is back when its turn in the main actor's queue comes.
///
/// It does not run the task at once, in whoever resumes it: that may be a lock, or a cancellation.
final class MainTurnExecutor: TaskExecutor {
  static let shared = MainTurnExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    _ = Task { @MainActor in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
