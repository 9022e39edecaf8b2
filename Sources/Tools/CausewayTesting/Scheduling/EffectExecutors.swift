import Causeway

/// The executors of the effects that have started.
///
/// The executor of a task identifies the task's effect, even if no drain runs the task: in work
/// that stays on the main actor, and on an actor with an executor of its own.
struct EffectExecutors {
  private struct Entry {
    let identity: UnownedTaskExecutor
    weak var executor: EffectExecutor?

    init(_ executor: EffectExecutor) {
      identity = executor.asUnownedTaskExecutor()
      self.executor = executor
    }
  }

  private var entries: [Entry] = []
  /// The number of entries at which the entries of released executors are removed.
  private var limit = 16

  /// Adds an executor.
  ///
  /// Complexity: O(1) on average.
  ///
  /// - Returns: Executors that the caller releases after its lock: this may be their last reference.
  mutating func add(_ executor: EffectExecutor) -> [EffectExecutor] {
    var known: [EffectExecutor] = []
    if entries.count >= limit {
      known = entries.compactMap(\.executor)
      entries = known.map { Entry($0) }
      limit = max(16, entries.count * 2)
    }
    entries.append(Entry(executor))
    return known
  }

  /// The number of the effect whose task runs on an executor; `nil` for another task.
  ///
  /// Only that task may call it, because it keeps the executor. The entry of a released executor can
  /// have the same address, and has no reference.
  ///
  /// Complexity: O(*n*) in the number of executors that were not released.
  func effect(on executor: UnownedTaskExecutor) -> Int? {
    let entry = entries.last { $0.identity == executor && $0.executor != nil }
    return entry?.executor?.number
  }
}
