/// The result of an exploration.
public struct ExplorationResult: Sendable, CustomStringConvertible {
  /// The number of trials, without the repetitions that shortened a failing trial.
  public let trials: Int
  /// Whether every possible order was tried; always false for a sample.
  public let isComplete: Bool
  /// What an enumeration has tried before it met its limit; `nil` otherwise.
  var coverage: OrderSearch.Coverage?
  /// The first trial that failed, or the cancellation of the exploration.
  public let failure: InterleavingFailure?

  /// What was tried, for the report of a test that expects all orders.
  public var description: String {
    if let failure { return "\(failure)" }
    if isComplete { return "All orders were tried, in \(trials) trials." }
    guard let coverage else { return "\(trials) orders were tried. It was a sample." }
    return """
      \(trials) orders were tried, and at least \(coverage.untried) were not. The first \
      \(coverage.unvaried) of \(coverage.steps) steps were the same in all of them. Raise the number \
      of trials, or declare what effects share with the option sharing.
      """
  }
}

/// A trial that failed, in the shortest form that was found, or a cancelled exploration.
public struct InterleavingFailure: Sendable, CustomStringConvertible {
  /// The seed that repeats the trial; `nil` for a trial that was found by enumeration.
  public let seed: UInt64?
  /// The number of steps of the script before and after shrinking; `nil` without a script.
  public let scriptLengths: (original: Int, shrunk: Int)?
  /// The reason of the failure.
  public let reason: String
  /// The steps of the trial, in order; the last ones if the trial did not end.
  public let steps: [String]
  /// The trial's name in the report.
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
    let order = lines.isEmpty ? "" : "\nThe order of steps:\n\(lines.joined(separator: "\n"))"
    return "\(title)\n\(reason)\(script ?? "")\(order)"
  }
}
