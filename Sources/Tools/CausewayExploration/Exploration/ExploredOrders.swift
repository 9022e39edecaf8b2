/// The orders that an exploration has tried.
public struct ExploredOrders: Sendable, CustomStringConvertible {
  /// The number of trials, without the repetitions that shortened a failure.
  public let trials: Int
  /// Whether every order was tried.
  public let isComplete: Bool
  /// The first trial that failed.
  let failure: ExplorationFailure?

  init(trials: Int, isComplete: Bool, failure: ExplorationFailure?) {
    self.trials = trials
    self.isComplete = isComplete
    self.failure = failure
  }

  /// The failure, or the number of orders.
  public var description: String {
    if let failure { return "\(failure)" }
    return isComplete ? "all \(trials) orders" : "\(trials) orders, and there are more"
  }
}
