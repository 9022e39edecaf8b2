import CausewaySystem

/// The way in which a simulation chooses among several possible steps.
public enum SimulationSearch: Sendable, Hashable {
  /// Each possible step has the same probability.
  case uniform
  /// Tasks have priorities, and certain bugs are found with a known probability.
  ///
  /// A trial finds a bug that needs `depth` steps in a certain order with a probability of at least
  /// 1 / (*n* · *k*^(`depth` − 1)), where *n* is the number of tasks and *k* the number of steps
  /// with a choice. See S. Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees
  /// of Finding Bugs", ASPLOS 2010. The first trial is uniform, and measures *n* and *k*.
  case priorities(depth: Int)
  /// Each possible step has the same probability, and trials that reach new branches of the code are
  /// varied.
  ///
  /// Every other trial repeats an earlier one up to some time, and has other random numbers from then
  /// on. The earlier trials are those that entered a branch for the first time, or more often than
  /// before. This needs the counters of the compiler on Linux: build with `--enable-code-coverage`.
  /// Without them, it is the same as ``uniform``. Code that other threads run counts too.
  case coverage
  /// Several threads take the steps at the same time.
  ///
  /// This finds two threads that wait for each other's locks, and races inside a step, which no
  /// other search can find. Time still passes only when no task can run, and nodes crash and messages
  /// arrive only between two steps. If no step ends for a minute, the process ends with the stacks of
  /// all threads. A failure cannot be repeated or shortened.
  case threads(Int)

  /// Returns the number of trials that find a bug with a probability of 99 %.
  ///
  /// This holds only for a bug that the search can find.
  ///
  /// - Parameters:
  ///   - depth: The number of steps that the bug needs in a certain order, at least 1.
  ///   - tasks: The number of tasks in a trial.
  ///   - steps: The number of steps with a choice in a trial.
  package static func trialsForCertainty(depth: Int, tasks: Int, steps: Int) -> Double {
    var chance = 1 / Double(max(1, tasks))
    for _ in 1..<max(1, depth) { chance /= Double(max(1, steps)) }
    // For a small p, ln(1 − p) is about −p, and 1 − p cannot be stored exactly.
    return chance >= 1 ? 1 : 4.605_170_185_988_091 / (chance < 1e-6 ? chance : -log1p(-chance))
  }
}
