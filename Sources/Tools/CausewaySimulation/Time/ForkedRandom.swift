import CausewayExploration

/// One stream of random numbers, which begins anew at each fork of the trial.
struct ForkedRandom: RandomNumberGenerator {
  private var stream: SimulationRandom
  private let purpose: UInt64
  private let number: UInt64
  private var forks: ArraySlice<SimulationCase.Fork>

  /// - Parameters:
  ///   - purpose: Each purpose has its own numbers.
  ///   - number: The number of the node.
  init(_ identity: SimulationCase, purpose: UInt64, _ number: UInt64) {
    (self.purpose, self.number) = (purpose, number)
    stream = SimulationRandom(seed: identity.seed, purpose: purpose, number)
    forks = identity.forks[...]
  }

  mutating func next() -> UInt64 {
    if let fork = forks.take(until: Scheduler.ofThread?.now ?? .zero) {
      stream = SimulationRandom(seed: fork.seed, purpose: purpose, number)
    }
    return stream.next()
  }
}
