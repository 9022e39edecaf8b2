import Causeway
import Synchronization

/// The step that a drain is running.
///
/// All drains run on the main actor, and a step does not suspend, so there is at most one.
enum RunningStep {
  static let executor = Mutex<EffectExecutor?>(nil)

  /// The queue of the running step, if the current task belongs to that step.
  static var queueOfCurrentTask: JobQueue? {
    guard let executor = executor.withLock(\.self),
      withUnsafeCurrentTask(body: { $0?.unownedTaskExecutor })
        == executor.asUnownedTaskExecutor()
    else { return nil }
    return executor.queue
  }
}
