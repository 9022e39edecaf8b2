import CausewaySystem

/// The orders that an exploration tries: first systematically, then by priorities and at random.
struct SearchPlan {
  struct Trial {
    let order: TrialOrder
    /// The number of switches; `nil` for a trial that is not part of the systematic search.
    let switches: Int?
  }

  private var frontier = OrderFrontier()
  private var hasBegun = false
  private var seed: UInt64 = 0
  /// The largest number of choices of a trial so far.
  private var longest = 1

  /// Returns the next trial; `nil` after all orders.
  ///
  /// - Parameter used: The used part of the budget, from 0 to 1. An eighth is for orders without
  ///   switches, an eighth for orders with one switch, a quarter for orders with more, and half for
  ///   the other searches.
  mutating func next(used: Double) -> Trial? {
    guard hasBegun else {
      hasBegun = true
      return Trial(order: TrialOrder(choices: []), switches: 0)
    }
    if frontier.isEmpty, !frontier.isCut { return nil }
    let least = used < 0.125 ? 0 : used < 0.25 ? 1 : 2
    if used < 0.5, let next = frontier.next(from: least) {
      return Trial(order: TrialOrder(choices: next.choices), switches: next.switches)
    }
    defer { seed += 1 }
    let rest: TrialOrder.Rest =
      seed.isMultiple(of: 2)
      ? .priorities(seed: seed / 2, length: longest) : .uniform(seed: seed / 2)
    return Trial(order: TrialOrder(choices: [], rest: rest), switches: nil)
  }

  /// Adds the choices of a trial that has passed.
  mutating func add(_ choices: [TaskChooser.Choice], of trial: Trial) {
    longest = max(longest, choices.count)
    guard let switches = trial.switches else { return }
    frontier.add(
      choices.map(\.taken), after: trial.order.choices.count, switches: switches
    ) { (choices[$0].options, choices[$0].free) }
  }
}
