/// One stream of random numbers, which begins anew at each fork of the trial.
struct ForkedRandom: RandomNumberGenerator {
  private var stream: SimulationRandom
  private let purpose: UInt64
  private var forks: ArraySlice<SimulationCase.Fork>

  /// - Parameter purpose: Other purposes have other numbers.
  init(_ identity: SimulationCase, purpose: UInt64, _ number: UInt64) {
    self.purpose = SimulationRandom(seed: purpose, purpose: number).state
    stream = SimulationRandom(seed: identity.seed, purpose: purpose, number)
    forks = identity.forks[...]
  }

  mutating func next() -> UInt64 {
    let now = Scheduler.ofThread?.now ?? .zero
    while let fork = forks.first, fork.begin <= now {
      forks.removeFirst()
      stream = SimulationRandom(seed: fork.seed, purpose: purpose)
    }
    return stream.next()
  }
}
