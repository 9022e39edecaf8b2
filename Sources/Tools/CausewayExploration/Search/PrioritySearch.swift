import CausewaySystem

/// Gives priorities to the tasks of a scheduler, and runs the task with the highest priority.
package struct PrioritySearch: ScheduleSearch {
  private let seed: UInt64
  private var schedule: PrioritySchedule<ScheduleTurn>

  /// - Parameters:
  ///   - depth: The number of ordered steps that the bug needs, at least 1.
  ///   - length: The number of steps with a choice.
  package init(seed: UInt64, depth: Int, length: Int) {
    self.seed = seed
    var random = SplitMix64(seed: seed)
    schedule = PrioritySchedule(depth: depth, length: length, using: &random)
  }

  /// Complexity: O(*n*) in the number of possible steps.
  package mutating func choose(
    from turns: some RandomAccessCollection<ScheduleTurn>, at now: Duration
  ) -> Int {
    schedule.choose(from: turns) { [seed] turn, _ in
      // A priority must not depend on earlier tasks, because a shorter trial may leave out some of
      // them.
      var random = SplitMix64(seed: seed, purposes: [turn.key])
      return UInt64.random(in: PrioritySchedule<ScheduleTurn>.lowest...UInt64.max, using: &random)
    }
  }
}
