/// Makes the choices of a schedule, and keeps them so that they can be made again.
struct Chooser {
  struct Choice {
    let options: Int
    let taken: Int
  }

  private enum Strategy {
    case first
    case uniform(SplitMix64)
    case priorities(PrioritySchedule)
    /// Repeats an order as far as its steps are possible, the earliest of them first.
    case following([Turn])
  }

  private let given: [Int]
  private var strategy: Strategy
  private let keepsOrder: Bool
  private(set) var choices: [Choice] = []
  /// Whose turn it was, also where there was no choice; empty unless it is kept.
  private(set) var order: [Turn] = []

  /// Chooses at random, the same for the same seed.
  init(seed: UInt64, search: ExplorationOptions.Search = .uniform, keepsOrder: Bool = false) {
    given = []
    self.keepsOrder = keepsOrder
    let isUniform =
      switch search {
      case .mixed: seed % 2 == 0
      case .uniform, .everyOrder: true
      case .priorities: false
      }
    strategy =
      isUniform
      ? .uniform(SplitMix64(seed: seed)) : .priorities(PrioritySchedule(seed: seed))
  }

  /// Makes the given choices, and then always the first one.
  init(choices: [Int], keepsOrder: Bool = false) {
    given = choices
    strategy = .first
    self.keepsOrder = keepsOrder
  }

  /// Repeats an order as far as its steps are possible.
  init(following order: [Turn]) {
    given = []
    strategy = .following(order)
    keepsOrder = true
  }

  /// Chooses one of the possible steps, of which there is one or more.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - steps: The steps. Not asked for where their number is enough.
  mutating func choose(_ count: Int, _ steps: () -> PossibleSteps) -> Int {
    let taken: Int
    if choices.count < given.count, count > 1 {
      taken = min(given[choices.count], count - 1)
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
      }
    }
    if keepsOrder { order.append(steps().turns[taken]) }
    if count > 1 { choices.append(Choice(options: count, taken: taken)) }
    return taken
  }

  /// Takes the earliest turn of an order that is possible; the first possible one where none is.
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

/// Sebastiano Vigna's generator: small, quick, and every seed gives another sequence.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func next(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
