/// The reason why a trial failed.
enum TrialFailure {
  /// A check failed, or a condition that must always hold did not hold.
  case requirement(String)
  /// The body of a node threw an error.
  case start(String, String)
  /// A script or a check waits, but no task can run.
  case deadlock(String)
  /// These actions of scripts, or starts of nodes, have not ended at the end of the trial.
  case unfinished([String])
  /// Jobs run without end, and the time does not advance.
  case spin(String, Duration)
  /// Jobs run without end and wait for short times, but nothing else happens.
  case idling(String, Duration)
  case escape(SimulatedTasks.Escape)
}

extension TrialFailure {
  /// Whether another failure has the same reason, maybe with other numbers and values.
  func isLike(_ other: TrialFailure) -> Bool {
    switch (self, other) {
    case (.requirement(let reason), .requirement(let other)):
      Self.words(reason) == Self.words(other)
    case (.start(let node, let reason), .start(let otherNode, let other)):
      node == otherNode && Self.words(reason) == Self.words(other)
    case (.deadlock(let what), .deadlock(let other)): Self.words(what) == Self.words(other)
    case (.spin, .spin), (.idling, .idling), (.escape, .escape), (.unfinished, .unfinished): true
    default: false
    }
  }

  /// The words of a text before its first number or value; if there are none, all of its words.
  private static func words(_ text: String) -> Substring {
    let words = text.prefix { !$0.isNumber && !"[({\"'".contains($0) }
    return words.contains(where: \.isLetter) ? words : text.filter { !$0.isNumber }[...]
  }
}

extension TrialFailure: CustomStringConvertible {
  var description: String {
    switch self {
    case .requirement(let message):
      message
    case .start(let node, let error):
      "the node \"\(node)\" could not start: \(error)"
    case .deadlock(let what):
      "nothing can run, but \(what) did not end: a task waits for something that never happens"
    case .unfinished(let parts):
      """
      these have not ended at the end of the trial: \(parts.joined(separator: "; ")). They wait for \
      something that never happens, or that is outside of the simulation (a dispatch queue, a \
      thread, a timer, a real connection)
      """
    case .idling(let place, let time):
      """
      two million steps without a message, a write or an action at \(time): \(place) repeats short \
      waits
      """
    case .spin(let place, let time):
      "a million steps without time passing at \(time): \(place) repeats without waiting"
    case .escape(let escape):
      """
      \(escape.thread) is outside of the simulation and \(escape.kind.text). The order of such steps \
      cannot be repeated. Replace the code on that thread (a dispatch queue, a thread, real input \
      and output) with a double that waits on the simulation's clock or network
      """
    }
  }
}

extension SimulatedTasks.Escape.Kind {
  fileprivate var text: String {
    switch self {
    case .resumed: "resumed one of its tasks"
    case .ran: "ran one of its tasks, on an actor that both use"
    case .began: "began a task, although the simulation had begun the thread"
    }
  }
}
