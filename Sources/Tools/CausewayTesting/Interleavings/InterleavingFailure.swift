import CausewaySystem

/// A trial that failed, in the shortest form that was found, or a cancelled exploration.
package struct InterleavingFailure: Sendable, CustomStringConvertible {
  /// The seed that repeats the trial; `nil` for a trial that was found by enumeration.
  package let seed: UInt64?
  /// The number of steps of the script before and after shrinking; `nil` without a script.
  package let scriptLengths: (original: Int, shrunk: Int)?
  /// The reason of the failure.
  package let reason: String
  /// The steps of the trial, in order; the last ones if the trial did not end.
  package let steps: [String]
  /// The text of the shortest trial, for ``ExplorationOptions/replay``; `nil` if it cannot be repeated.
  package let replay: String?
  /// The trial's name in the report.
  let title: String

  /// The report.
  package var description: String {
    let number = String(steps.count).count
    let lines = steps.enumerated().map { index, step in
      "  \(String(repeating: " ", count: number - String(index + 1).count))\(index + 1)  \(step)"
    }
    let script = scriptLengths.map {
      "\nThe script was shrunk from \($0.original) to \($0.shrunk) actions."
    }
    let order = lines.isEmpty ? "" : "\nThe order of steps:\n\(lines.joined(separator: "\n"))"
    let repetition = replay.map {
      """

      Repeat the shortest trial with the option replay: "\($0)", or in the environment with \
      \(ReplayText.variable)=\($0)
      """
    }
    return "\(title)\n\(reason)\(script ?? "")\(repetition ?? "")\(order)"
  }
}
