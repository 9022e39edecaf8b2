/// The node and the task of a possible step.
package struct ScheduleTurn: Hashable {
  /// The index of the node; -1 for the world.
  package let node: Int
  /// The number of the task within the trial; 0 for an actor's job and for an event.
  package let task: Int
  /// A number that stays the same when an earlier action is left out of the trial.
  ///
  /// It depends on the node and on the moment of the task's first job.
  package let key: UInt64
}

extension ScheduleTurn {
  /// The cancellation of the task with a number.
  init(cancelling task: Int) {
    self.init(node: -2, task: task, key: UInt64(truncatingIfNeeded: task))
  }

  /// Whether the step is the cancellation of the task.
  var isCancellation: Bool { node == -2 }
}

/// Chooses the next step of a simulation.
package protocol ScheduleSearch {
  /// Returns the index of the next step.
  ///
  /// - Parameters:
  ///   - turns: The possible steps, at least two.
  ///   - now: The virtual time.
  mutating func choose(
    from turns: some RandomAccessCollection<ScheduleTurn>, at now: Duration
  ) -> Int

  /// Returns the index of the timer that fires next, if durations are lower bounds.
  ///
  /// - Parameters:
  ///   - turns: The steps after the timers, the earliest first; at least two.
  ///   - now: The virtual time.
  mutating func chooseTimer(
    from turns: some RandomAccessCollection<ScheduleTurn>, at now: Duration
  ) -> Int

  /// Returns a number from 0 to a limit, which the code of the trial asks for.
  mutating func chooseNumber(below limit: Int) -> Int

  /// Notes the next step, even if there was no choice.
  mutating func note(_ turn: ScheduleTurn)
}

extension ScheduleSearch {
  package mutating func chooseTimer(
    from turns: some RandomAccessCollection<ScheduleTurn>, at now: Duration
  ) -> Int { choose(from: turns, at: now) }

  package mutating func chooseNumber(below limit: Int) -> Int { 0 }

  package mutating func note(_ turn: ScheduleTurn) {}
}
