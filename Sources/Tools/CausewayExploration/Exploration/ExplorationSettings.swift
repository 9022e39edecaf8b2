/// The options of an exploration.
struct ExplorationSettings: Sendable {
  var trials = Int.max
  var limit = Duration.seconds(2)
  var hasLateTimers = false
  var allowsUnfinishedTasks = false
  var cancelsTasks = false
}
