/// Runs the task with the highest priority, and lowers priorities at a few random steps.
///
/// This is probabilistic concurrency testing, from S. Burckhardt, P. Kothari, M. Musuvathi and S.
/// Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS
/// 2010. A trial finds a bug that needs *d* ordered steps with a probability of at least 1 / (*n* ·
/// *k*^(*d* − 1)), for *n* tasks with initial priorities in random order, and *k* steps.
///
/// A task is a unit that the scheduler runs: a Swift task, or an effect with all of its tasks.
package struct PrioritySchedule<Turn: Hashable> {
  private var priorities: [Turn: UInt64] = [:]
  /// The steps at which the priority of the running task is lowered, with its new priority.
  private var changes: [Int: UInt64] = [:]
  private var step = 0

  /// The smallest initial priority; lowered priorities are below it.
  package static var lowest: UInt64 { 1 << 32 }

  /// - Parameters:
  ///   - depth: The number of ordered steps that the bug needs, at least 1.
  ///   - length: The number of steps of the trial, at least 1.
  ///   - random: Draws the steps at which priorities are lowered.
  package init(depth: Int, length: Int, using random: inout SplitMix64) {
    for change in 0..<max(0, depth - 1) {
      changes[random.next(below: max(1, length))] = UInt64(depth - change)
    }
  }

  /// Returns the place of the task that runs next; 0 without tasks.
  ///
  /// If several tasks have the highest priority, the first of them runs. Complexity: O(*n*) in the
  /// number of tasks.
  ///
  /// - Parameters:
  ///   - turns: The tasks that can run.
  ///   - draw: Returns the initial priority of a task. `count` is the number of tasks that already
  ///     have a priority.
  package mutating func choose(
    from turns: some Collection<Turn>, draw: (Turn, _ count: Int) -> UInt64
  ) -> Int {
    var place = highest(in: turns, draw)
    if let lowered = changes[step], !turns.isEmpty {
      priorities[turns[turns.index(turns.startIndex, offsetBy: place)]] = lowered
      place = highest(in: turns, draw)
    }
    step += 1
    return place
  }

  private mutating func highest(
    in turns: some Collection<Turn>, _ draw: (Turn, _ count: Int) -> UInt64
  ) -> Int {
    var best = (place: 0, priority: UInt64(0))
    var place = 0
    for turn in turns {
      let priority: UInt64
      if let old = priorities[turn] {
        priority = old
      } else {
        priority = draw(turn, priorities.count)
        priorities[turn] = priority
      }
      if priority > best.priority { best = (place, priority) }
      place += 1
    }
    return best.place
  }
}
