/// What an exploration found.
public struct ExplorationResult: Sendable {
  /// How many trials were made, without those that shortened a failing one.
  public let trials: Int
  /// Whether every order there is was tried; always false for a sample.
  public let isComplete: Bool
  /// The first trial that failed.
  public let failure: InterleavingFailure?
}

/// A trial that failed, made as short as it got.
public struct InterleavingFailure: Sendable, CustomStringConvertible {
  /// The seed that makes the same trial again; `nil` for one that was found by enumeration.
  public let seed: UInt64?
  /// How many actions the script had, and has now; `nil` without a script.
  public let scriptLengths: (original: Int, shrunk: Int)?
  /// Why it failed.
  public let reason: String
  /// What happened, in order.
  public let steps: [String]
  /// How the trial is named in the report.
  let title: String

  /// The report.
  public var description: String {
    let number = String(steps.count).count
    let lines = steps.enumerated().map { index, step in
      "  \(String(repeating: " ", count: number - String(index + 1).count))\(index + 1)  \(step)"
    }
    let script = scriptLengths.map {
      "\nThe script was shrunk from \($0.original) to \($0.shrunk) actions."
    }
    return """
      \(title)
      \(reason)\(script ?? "")
      The order of steps:
      \(lines.joined(separator: "\n"))
      """
  }
}
