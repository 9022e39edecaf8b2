/// The totals of all trials of a simulation.
public struct SimulationSummary: Sendable, Hashable {
  /// The number of trials.
  public private(set) var trials = 0
  /// The number of steps in all trials.
  public private(set) var steps = 0
  /// The number of crashes of nodes.
  public private(set) var crashes = 0
  /// The number of script actions that began.
  public private(set) var actions = 0
  /// The number of actions that threw an error.
  public private(set) var failedActions = 0
  /// The number of actions that were left out because their node was down.
  package private(set) var skippedActions = 0
  /// A hash of all steps.
  ///
  /// Two runs of the same simulation with the same seeds have the same hash, even in different
  /// processes. If the hashes differ, the code depends on more than the seed.
  public private(set) var trace: UInt64 = 0
  /// The steps of the last trial.
  private var lastPath: TrialPath?
  /// The largest number of steps with a choice in a trial.
  package private(set) var longestTrial = 0
  /// The largest number of tasks in a trial.
  package private(set) var mostTasks = 0

  /// Returns the number of trials that find a bug with a probability of 99 %.
  ///
  /// This holds for the search ``SimulationSearch/priorities(depth:)`` and a bug that the search
  /// can find. It uses the numbers of tasks and steps that this simulation has measured.
  ///
  /// - Parameter depth: The number of steps that the bug needs in a certain order, at least 1.
  package func trialsForCertainty(depth: Int) -> Double {
    SimulationSearch.trialsForCertainty(depth: depth, tasks: mostTasks, steps: longestTrial)
  }

  /// A line for each step of the last trial, with its node, task and time.
  ///
  /// - Complexity: O(steps).
  package var lastSteps: [String] { lastPath?.lines ?? [] }

  /// Describes the first step in which the last trial differs from an earlier run of it.
  ///
  /// - Parameter earlier: The ``lastSteps`` of the earlier run, maybe of another process.
  /// - Returns: The step and its time in both runs; `nil` if the steps are equal.
  package func firstDifference(from earlier: [String]) -> String? {
    TrialPath.firstDifference(earlier, lastSteps)
  }

  mutating func add(_ trial: TrialResult) {
    trials += 1
    steps += trial.path.steps.count
    crashes += trial.counts.crashes
    actions += trial.counts.actions
    failedActions += trial.counts.failedActions
    skippedActions += trial.counts.skippedActions
    trace = (trace &* 31) ^ trial.trace
    lastPath = trial.path
    longestTrial = max(longestTrial, trial.choices)
    mostTasks = max(mostTasks, trial.tasks)
  }
}

extension SimulationSummary: CustomStringConvertible {
  /// The totals.
  ///
  /// They include the number of trials by priorities that find a bug of the depth 1, 2 or 3 with 99 %.
  public var description: String {
    let guarantees = (1...3).map { depth in
      "depth \(depth): \(trialsForCertainty(depth: depth).rounded(.up))"
    }
    return """
      \(trials) trials, \(steps) steps, \(crashes) crashes, \(actions) actions (\(failedActions) \
      failed, \(skippedActions) more were left out while their node was down). At most \(mostTasks) tasks and \
      \(longestTrial) choices in a trial. Trials by priorities that find a bug with 99 %: \
      \(guarantees.joined(separator: ", ")).
      """
  }
}
