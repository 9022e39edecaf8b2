/// What an exploration tries, and what it allows.
struct ExplorationSettings: Sendable {
  var trials = Int.max
  var limit = Duration.seconds(2)
  var hasLateTimers = false
  var allowsUnfinishedTasks = false
  var cancelsTasks = false
}
