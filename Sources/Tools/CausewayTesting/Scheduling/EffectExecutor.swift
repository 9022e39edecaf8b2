import Causeway
import Synchronization

/// The executor of one effect.
///
/// It adds the jobs to the queue, under the effect's name.
final class EffectExecutor: TaskExecutor {
  let effect: EffectID
  /// The effect's number; `nil` for a timer.
  let number: Int?
  let turn: Turn
  let queue: JobQueue
  private let hasBegun = Mutex(false)

  init(effect: EffectID, number: Int?, turn: Turn, queue: JobQueue) {
    self.effect = effect
    self.number = number
    self.turn = turn
    self.queue = queue
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    queue.append(job, self, objects: isFirst ? [] : nil)
  }

  func run(_ job: UnownedJob) {
    job.runSynchronously(on: asUnownedTaskExecutor())
  }

  func runElsewhere(_ job: UnownedJob) {
    Task { @concurrent in self.run(job) }
  }
}
