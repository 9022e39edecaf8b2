import CausewaySystem

/// A trial of an exploration that failed, in the shortest order that was found.
package struct ExplorationFailure: Error, CustomStringConvertible {
  /// The reason of the failure.
  package let reason: String
  /// The text of the order, for the argument `replaying`.
  package let replay: String
  /// The number of the trial that failed first.
  let trial: Int
  /// The number of switches away from a task that could continue.
  let switches: Int
  /// Whether a repetition took the same steps and failed as well.
  let isRepeatable: Bool
  /// Describes the first step that differed in a repetition; `nil` if none is known.
  let difference: String?
  /// The functions of the system whose values were not simulated.
  let realValues: [String]
  /// The table of tasks and steps.
  let steps: String

  /// The reason, the call that repeats the trial, and the table.
  package var description: String {
    let repetition =
      isRepeatable
      ? """
      Repeat it with the argument replaying: "\(replay)", or in the environment with \
      \(ReplayText.variable)=\(replay).
      """
      : """
      A repetition in the same order (\(replay)) took other steps or passed: something depends on the \
      real time, on an address, or on a value that an earlier trial has left. \
      \(difference.map { $0 + " " } ?? "")\(RealValues.text(of: realValues))
      """
    return """
      \(reason)
      Trial \(trial), after \(switches) \(switches == 1 ? "switch" : "switches") away from a task that \
      could go on. \(repetition)
      \(steps)
      """
  }
}
