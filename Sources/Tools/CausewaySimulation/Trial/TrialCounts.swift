/// The numbers of events in a trial.
struct TrialCounts {
  var crashes = 0
  /// The actions that began.
  var actions = 0
  /// The actions that threw an error.
  var failedActions = 0
  /// The actions that were left out because their node was down.
  var skippedActions = 0
}
