import CausewaySystem

/// Runs the task of the highest priority.
///
/// At *d* − 1 random steps, it lowers the priority of the running task. This is probabilistic
/// concurrency testing (S. Burckhardt, P. Kothari, M. Musuvathi and S. Nagarakatte, "A Randomized
/// Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010). A trial finds a bug that
/// needs *d* ordered steps with a probability of at least 1 / (*n* · *k*^(*d* − 1)), for *n* tasks
/// and *k* steps with a choice.
package struct PrioritySearch: ScheduleSearch {
  private let seed: UInt64
  private var priorities = PriorityTable<ScheduleTurn>()
  /// The steps at which a priority is lowered, with the new priority.
  private var changes: [Int: UInt64] = [:]
  private var step = 0
  /// Initial priorities are above this number, and lowered priorities are below it.
  private static let lowest: UInt64 = 1 << 32

  /// - Parameters:
  ///   - depth: The number of ordered steps that the bug needs, at least 1.
  ///   - length: The number of steps with a choice.
  package init(seed: UInt64, depth: Int, length: Int) {
    self.seed = seed
    var random = SplitMix64(seed: seed)
    for change in 0..<max(0, depth - 1) {
      changes[Int.random(in: 0..<max(1, length), using: &random)] = UInt64(depth - change)
    }
  }

  /// Complexity: O(*n*) in the number of possible steps.
  package mutating func choose(
    from turns: some RandomAccessCollection<ScheduleTurn>, at now: Duration
  ) -> Int {
    defer { step += 1 }
    if let lowered = changes[step] {
      let running = highest(turns)
      priorities.set(lowered, of: turns[turns.index(turns.startIndex, offsetBy: running)])
    }
    return highest(turns)
  }

  private mutating func highest(_ turns: some RandomAccessCollection<ScheduleTurn>) -> Int {
    priorities.highest(in: turns) { [seed] turn, _ in
      // A priority must not depend on the tasks before this one, some of which may be left out later.
      var random = SplitMix64(seed: seed, purposes: [turn.key])
      return UInt64.random(in: Self.lowest...UInt64.max, using: &random)
    }
  }
}
