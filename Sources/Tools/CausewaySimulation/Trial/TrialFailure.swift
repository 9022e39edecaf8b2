import CausewayExploration

/// The reason why a trial failed.
enum TrialFailure {
  /// A check failed, or a condition that must always hold did not hold.
  case requirement(String)
  /// An action of a script on a node threw an error that the script does not expect.
  case action(Int, String, error: String)
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
      FailureText.words(reason) == FailureText.words(other)
    case (.action(_, _, let error), .action(_, _, let other)):
      FailureText.words(error) == FailureText.words(other)
    case (.start(let node, let reason), .start(let otherNode, let other)):
      node == otherNode && FailureText.words(reason) == FailureText.words(other)
    case (.deadlock(let what), .deadlock(let other)):
      FailureText.words(what) == FailureText.words(other)
    case (.spin, .spin), (.idling, .idling), (.escape, .escape), (.unfinished, .unfinished): true
    default: false
    }
  }
}

extension TrialFailure: CustomStringConvertible {
  var description: String {
    switch self {
    case .requirement(let message):
      message
    case .action(let number, let node, let error):
      """
      action \(number) of \(node) threw \(error). If the errors of the script are expected, say so with \
      script(on:actions:pause:expectsErrors:)
      """
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
      \(escape.thread) is outside of the simulation and \(escape.text). The order of such steps \
      cannot be repeated. Replace the code on that thread (a dispatch queue, a thread, real input \
      and output) with a double that waits on the simulation's clock or network
      """
    }
  }
}

/// The error of a condition that does not hold.
struct BrokenRequirement: Error, CustomStringConvertible {
  let message: String
  var description: String { message }
}
