/// Has a task go on where it is made ready, without a thread of the concurrent executor.
///
/// A continuation that is resumed goes by those threads first, also in a task of the main actor:
/// how much the main actor does until it is back would depend on how busy they are. A task that
/// prefers this executor is back at the main actor when its turn in the queue comes.
final class DirectExecutor: TaskExecutor {
  static let shared = DirectExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
