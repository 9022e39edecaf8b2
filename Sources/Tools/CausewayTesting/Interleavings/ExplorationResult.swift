/// The result of an exploration.
public struct ExplorationResult: Sendable, CustomStringConvertible {
  /// The number of trials, without the repetitions that shortened a failing trial.
  public let trials: Int
  /// Whether every possible order was tried; always false for a sample.
  public let isComplete: Bool
  /// The coverage of an enumeration that has met its limit; `nil` otherwise.
  var coverage: OrderSearch.Coverage?
  /// The first trial that failed, or the cancellation of the exploration.
  package let failure: InterleavingFailure?

  /// Whether a trial failed, or the exploration was cancelled.
  ///
  /// The description shows the steps.
  public var hasFailed: Bool { failure != nil }
  /// The text of the shortest failing trial, for ``ExplorationOptions/replay``; `nil` if no trial failed
  /// or it cannot be repeated.
  public var replay: String? { failure?.replay }

  /// The failure with its steps, or the number of tried orders, for the report of a test that
  /// expects all orders.
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
