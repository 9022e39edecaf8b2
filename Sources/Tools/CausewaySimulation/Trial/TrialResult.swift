import CausewayExploration

/// The result of a trial.
///
/// Tasks that never end can retain a trial, but not its result, which has several megabytes.
struct TrialResult {
  let identity: SimulationCase
  /// The first failure.
  let failure: TrialFailure?
  /// A hash of all steps.
  let trace: UInt64
  let path: TrialPath
  let timeline: Timeline?
  /// The parts that a repetition can leave out.
  let parts: [SimulationCase.Part]
  /// The virtual time at the end.
  let end: Duration
  let counts: TrialCounts
  /// The number of steps with a choice.
  let choices: Int
  let tasks: Int
  /// The functions of the system whose values were not simulated.
  let realValues: [String]

  init(of trial: Trial) {
    let scheduler = trial.scheduler
    identity = trial.identity
    failure = trial.failure
    trace = scheduler.trace
    path = trial.path
    timeline = trial.timeline
    parts = trial.parts
    end = scheduler.now
    counts = trial.counts
    choices = scheduler.choiceCount
    tasks = scheduler.taskCount
    realValues = scheduler.realValues
  }

  /// Describes the first step that another trial of the same case has taken differently.
  func firstDifference(from other: TrialResult) -> String? {
    path.firstDifference(from: other.path)
  }
}
