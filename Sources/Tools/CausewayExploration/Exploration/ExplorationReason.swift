/// The reason why a trial of an exploration failed.
enum ExplorationReason {
  /// The closure threw an error.
  case error(String)
  /// No order of the operations explains their results.
  case history(String)
  /// Assertions of Swift Testing failed.
  case assertions([String])
  /// The closure has not returned, and these tasks wait for something that never happens.
  case waits([String])
  /// The closure has returned, and these tasks have not ended.
  case unfinished([String])
  /// Jobs run without end, and the time does not advance.
  case spin(String)
  /// Jobs run without end and wait for short times.
  case idling(String)
  case escape(SimulatedTasks.Escape)
}

extension ExplorationReason {
  /// Whether another trial has failed for the same reason, maybe with other values.
  func isLike(_ other: ExplorationReason) -> Bool {
    switch (self, other) {
    case (.error(let text), .error(let other)), (.history(let text), .history(let other)):
      FailureText.words(text) == FailureText.words(other)
    case (.assertions(let texts), .assertions(let others)):
      texts.first.map(Self.key) == others.first.map(Self.key)
    case (.waits, .waits), (.unfinished, .unfinished), (.spin, .spin), (.idling, .idling),
      (.escape, .escape):
      true
    default: false
    }
  }

  /// The kind and the place of a failed assertion.
  private static func key(_ text: String) -> [Substring] {
    [FailureText.words(text), text[(text.lastIndex(of: "(") ?? text.startIndex)...]]
  }
}

extension ExplorationReason: CustomStringConvertible {
  var description: String {
    switch self {
    case .error(let text): "The closure threw \(text)"
    case .history(let text): text
    case .assertions(let texts): texts.joined(separator: "\n")
    case .waits(let tasks):
      """
      Nothing can run, but the closure has not returned. It waits for something that never happens (a \
      continuation that was dropped, a lost wake-up), or that is outside of the exploration (a \
      dispatch queue, a thread, real input and output): \(tasks.joined(separator: "; "))
      """
    case .unfinished(let tasks):
      """
      Tasks have not ended when the closure has returned: \(tasks.joined(separator: "; ")). Wait for \
      them or cancel them, or allow them with allowsUnfinishedTasks: true
      """
    case .spin(let task): "\(task) repeats without waiting, and never ends"
    case .idling(let task): "\(task) repeats short waits, and never ends"
    case .escape(let escape):
      """
      \(escape.thread) is outside of the exploration and \(escape.text). The order of such steps \
      cannot be repeated. Replace the code on that thread (a dispatch queue, a thread, real input and \
      output) with a double that uses tasks only
      """
    }
  }
}
