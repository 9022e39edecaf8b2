import CausewaySystem

/// Chooses among the steps of a feature's effects, the main actor, the clock and the test.
///
/// The options of a choice are the possible steps in the order of ``PossibleSteps``.
struct EffectChooser {
  private enum Strategy {
    case first
    case uniform(SplitMix64)
    case priorities(EffectPriorities)
    /// Repeats the steps of an order if they are possible, earliest steps first.
    case following([Turn])
    /// Enumerates the orders, one in each trial.
    case enumerating(OrderSearch)
  }

  private var log: ChoiceLog<Int>
  private var strategy: Strategy
  private let keepsOrder: Bool
  /// The turns so far, including turns without a choice; empty if they are not recorded.
  private(set) var order: [Turn] = []

  /// Chooses at random.
  ///
  /// The same seed makes the same choices.
  init(seed: UInt64, search: ExplorationOptions.Search = .uniform, keepsOrder: Bool = false) {
    let isUniform =
      switch search {
      case .mixed: seed % 2 == 0
      case .uniform, .everyOrder: true
      case .priorities: false
      }
    self.init(
      isUniform ? .uniform(SplitMix64(seed: seed)) : .priorities(EffectPriorities(seed: seed)),
      keepsOrder: keepsOrder)
  }

  /// Repeats the choices of an order.
  init(repeating order: TrialOrder, keepsOrder: Bool = false) {
    let rest: Strategy =
      switch order.rest {
      case .calm: .first
      case .uniform(let seed): .uniform(SplitMix64(seed: seed))
      case .priorities(let seed, let length):
        .priorities(EffectPriorities(seed: seed, length: length))
      }
    self.init(rest, repeating: order, keepsOrder: keepsOrder)
  }

  /// Repeats the steps of an order if they are possible.
  init(following order: [Turn]) {
    self.init(.following(order), keepsOrder: true)
  }

  /// Makes the choices of the next order of an enumeration.
  init(enumerating orders: OrderSearch) {
    self.init(.enumerating(orders), keepsOrder: false)
  }

  private init(
    _ strategy: Strategy, repeating order: TrialOrder = TrialOrder(choices: []), keepsOrder: Bool
  ) {
    log = ChoiceLog(repeating: order)
    self.strategy = strategy
    self.keepsOrder = keepsOrder
  }

  /// The choices so far, which repeat the trial.
  var choices: [Int] { log.choices }

  /// The enumeration; `nil` for another search.
  var orders: OrderSearch? {
    if case .enumerating(let orders) = strategy { orders } else { nil }
  }

  /// Whether the choices enumerate the orders.
  var isEnumerating: Bool {
    if case .enumerating = strategy { true } else { false }
  }

  /// Stores the footprint of the last chosen step.
  mutating func record(_ footprint: Footprint) {
    guard case .enumerating(var orders) = strategy else { return }
    strategy = .first  // so that the enumeration is not copied
    orders.record(footprint)
    strategy = .enumerating(orders)
  }

  /// Adds the conflicts of a trial's changes to the enumeration.
  @MainActor
  mutating func findConflicts<State>(_ changes: ChangeComparison<State>) {
    guard case .enumerating(var orders) = strategy else { return }
    strategy = .first
    changes.findConflicts(in: &orders)
    strategy = .enumerating(orders)
  }

  /// Chooses one of the possible steps.
  ///
  /// There is at least one.
  ///
  /// - Parameters:
  ///   - count: The number of steps.
  ///   - steps: The steps. They are not evaluated if their number is sufficient.
  mutating func choose(_ count: Int, _ steps: () -> PossibleSteps) -> Int {
    let taken: Int
    if count > 1, let given = log.next(of: count) {
      taken = given
    } else {
      switch strategy {
      case .first:
        taken = 0
      case .uniform(var random):
        taken = count > 1 ? random.next(below: count) : 0
        strategy = .uniform(random)
      case .priorities(var schedule):
        strategy = .first  // so that the schedule is not copied
        taken = schedule.choose(steps())
        strategy = .priorities(schedule)
      case .following(var rest):
        strategy = .first
        taken = Self.follow(&rest, steps().turns)
        strategy = .following(rest)
      case .enumerating(var orders):
        strategy = .first
        taken = orders.choose(steps().turns)
        strategy = .enumerating(orders)
      }
    }
    if keepsOrder { order.append(steps().turns[taken]) }
    if count > 1 { log.note(taken) }
    return taken
  }

  /// Returns the first possible step of an order, and removes it from the order; without such a
  /// step, returns the first possible step.
  ///
  /// Complexity: O(*n*) in the length of the order.
  private static func follow(_ order: inout [Turn], _ turns: [Turn]) -> Int {
    for (index, turn) in order.enumerated() {
      if let taken = turns.firstIndex(of: turn) {
        order.remove(at: index)
        return taken
      }
    }
    return 0
  }
}
