import CausewayData
import CausewayTesting
import Synchronization

/// A value, and the session in which it was set.
struct Leaf: Equatable, Sendable {
  var session: Int
  var number: Int
}

/// A backing with places in its loads and saves where others may go on.
@MainActor
final class SteppedBacking: nonisolated StoreBacking {
  struct Stuck: Error {}

  /// When a save fails.
  enum Fault: Sendable {
    case before
    /// It has stored everything and cannot say so, as when a directory cannot be synchronised.
    case after
  }

  private(set) var values: [Int: Leaf]
  var failingLoads = 0
  var faults: [Fault] = []
  /// Called when a save begins.
  var onSave: () -> Void = {}
  /// Called for each key that is stored, or removed.
  var onStore: (Int, Leaf?) -> Void = { _, _ in }
  /// Where it works: in steps that an effect of the exploration lets happen.
  nonisolated let steps = Steps()

  init(_ values: [Int: Leaf]) {
    self.values = values
  }

  @concurrent func load() async throws -> [Int: Leaf] {
    await suspensionPoint()
    let answer = await read()
    await suspensionPoint()
    return try answer.get()
  }

  @concurrent func save(_ changes: StoreChanges<Int, Leaf>) async throws {
    await begin()
    await suspensionPoint()
    let isGood = await store(changes)
    await suspensionPoint()
    if !isGood { throw Stuck() }
  }

  @concurrent func removeDamaged() async throws {
    await suspensionPoint()
  }

  private func begin() {
    onSave()
  }

  private func read() -> Result<[Int: Leaf], Stuck> {
    guard failingLoads > 0 else { return .success(values) }
    failingLoads -= 1
    return .failure(Stuck())
  }

  private func store(_ changes: StoreChanges<Int, Leaf>) -> Bool {
    let fault = faults.isEmpty ? nil : faults.removeFirst()
    if fault == .before { return false }
    changes.apply(to: &values)
    for (key, value) in changes.updated { onStore(key, value) }
    for key in changes.removed { onStore(key, nil) }
    return fault == nil
  }
}

/// An executor whose jobs are parts of an effect, so that an exploration orders them.
final class Steps: TaskExecutor {
  private struct State {
    var jobs: [Int: UnownedJob] = [:]
    var next = 0
    var isOver = false
  }

  private let state = Mutex(State())
  private let numbers: AsyncStream<Int>
  private let added: AsyncStream<Int>.Continuation

  init() {
    (numbers, added) = AsyncStream.makeStream(of: Int.self)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let number: Int? = state.withLock { state in
      if state.isOver { return nil }
      state.next += 1
      state.jobs[state.next] = job
      return state.next
    }
    if let number { added.yield(number) } else { runElsewhere(job) }
  }

  /// Runs jobs, each as a task of its own, until the task is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await number in numbers {
        group.addTask { self.take(number)?.runSynchronously(on: self.asUnownedTaskExecutor()) }
      }
    }
    // What is left of a trial that is over comes to its end elsewhere.
    let left = state.withLock { state in
      state.isOver = true
      defer { state.jobs = [:] }
      return state.jobs.values
    }
    for job in left { runElsewhere(job) }
  }

  private func take(_ number: Int) -> UnownedJob? {
    state.withLock { $0.jobs.removeValue(forKey: number) }
  }

  private func runElsewhere(_ job: UnownedJob) {
    Task { @concurrent in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
