/// The totals of all trials of a simulation.
public struct SimulationSummary: Sendable, Hashable {
  /// The number of trials.
  public private(set) var trials = 0
  /// The number of steps in all trials.
  public private(set) var steps = 0
  /// The number of crashes of nodes.
  public private(set) var crashes = 0
  /// A hash of all steps.
  ///
  /// Two runs of the same simulation with the same seeds have the same hash, even in different
  /// processes. If the hashes differ, the code depends on more than the seed.
  public private(set) var trace: UInt64 = 0
  /// The largest number of steps with a choice in a trial.
  private(set) var longestTrial = 0

  mutating func add(_ trial: Trial) {
    trials += 1
    steps += trial.scheduler.steps
    crashes += trial.crashCount
    trace = (trace &* 31) ^ trial.scheduler.trace
    longestTrial = max(longestTrial, trial.scheduler.choiceCount)
  }
}
