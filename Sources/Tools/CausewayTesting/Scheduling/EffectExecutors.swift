/// The executors of the effects that have not ended.
///
/// A task finds its effect by its executor, also where no drain runs it: work that stays on the main
/// actor, and child tasks.
struct EffectExecutors {
  private struct Entry {
    weak var executor: EffectExecutor?
  }

  private var entries: [Entry] = []
  /// The number of entries at which those of ended effects are removed.
  private var limit = 16

  /// Complexity: O(1) on average.
  mutating func add(_ executor: EffectExecutor) {
    if entries.count >= limit {
      entries.removeAll { $0.executor == nil }
      limit = max(16, entries.count * 2)
    }
    entries.append(Entry(executor: executor))
  }

  /// The number of the effect whose tasks have an executor; `nil` if there is no such effect.
  ///
  /// Complexity: O(*n*) in the number of effects that have not ended.
  func effect(on executor: UnownedTaskExecutor) -> Int? {
    for entry in entries {
      if let known = entry.executor, known.asUnownedTaskExecutor() == executor {
        return known.number
      }
    }
    return nil
  }
}
