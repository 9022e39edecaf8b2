/// The results of other orders of the recorded answers.
struct OrderReport: Sendable {
  /// The number of other orders that were tried.
  var tried = 0
  /// Whether there are more orders.
  var isLimited = false
  /// Whether answers and actions could be exchanged at all.
  var hasChoices = false
  /// A sentence if the session's own order could not be repeated exactly.
  var caveat: String?
  /// The different ends, the one with the fewest moves first.
  var outcomes: [OrderOutcome] = []
  /// The number of orders with further ends, which are not kept.
  var others = 0
}

/// An end to which other orders lead.
struct OrderOutcome: Sendable {
  /// The items of the order, first to last.
  var order: [String]
  /// The places at which the order differs from the session's order.
  var title: String
  /// The differences from the end of the session's order.
  var differences: [RecordedEvent.Change]
  /// The errors that the runtime has reported.
  var errors: [String]
  /// The effects for which the session has no answer.
  var unanswered: [String]
  /// The number of orders that lead to this end.
  var count = 1
  /// Makes a second model that continues from the end.
  var goOn: @MainActor @Sendable () -> AnyObject?
  /// Repeats the order, and returns its steps as events of a recording.
  var events: @MainActor @Sendable () async -> [RecordedEvent]
}
