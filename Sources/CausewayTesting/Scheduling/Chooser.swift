/// Makes the choices of a schedule, and keeps them so that they can be made again.
struct Chooser {
  struct Choice {
    let options: Int
    let taken: Int
  }

  private let given: [Int]
  private var random: SplitMix64?
  private(set) var choices: [Choice] = []

  /// Chooses at random, the same for the same seed.
  init(seed: UInt64) {
    given = []
    random = SplitMix64(seed: seed)
  }

  /// Makes the given choices, and then always the first one.
  init(choices: [Int]) {
    given = choices
  }

  /// Chooses one of a number of options, which must be 1 or more.
  mutating func choose(_ options: Int) -> Int {
    guard options > 1 else { return 0 }
    let taken: Int
    if choices.count < given.count {
      taken = min(given[choices.count], options - 1)
    } else if random != nil {
      taken = random?.next(below: options) ?? 0
    } else {
      taken = 0
    }
    choices.append(Choice(options: options, taken: taken))
    return taken
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
