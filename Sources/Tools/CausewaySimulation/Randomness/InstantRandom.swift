import CausewayExploration

/// Random numbers with a separate stream for each moment of the virtual time.
///
/// When an action is left out of a trial, less happens at some moments. With one stream for all
/// moments, everything later would then get other numbers, and the trial would hardly ever fail
/// again. With a stream for each moment, all other moments keep their numbers.
struct InstantRandom {
  private let seed: UInt64
  private let identity: SimulationCase
  private var moment: Duration?
  private var stream: SimulationRandom

  /// - Parameters:
  ///   - identity: The trial, whose forks have other numbers.
  ///   - seed: The seed before the first fork; `nil` for the seed of the trial.
  ///   - purpose: Each purpose has its own numbers.
  init(_ identity: SimulationCase, seed: UInt64? = nil, purpose: UInt64...) {
    var mixed = seed ?? identity.seed
    for part in purpose { mixed = SimulationRandom(seed: mixed, purpose: part).state }
    self.seed = mixed
    self.identity = identity
    stream = SimulationRandom(seed: mixed)
  }

  /// Draws numbers from the stream of a moment.
  mutating func draw<Result>(
    at now: Duration, _ draw: (inout SimulationRandom) throws -> Result
  ) rethrows -> Result {
    if moment != now {
      moment = now
      let number = UInt64(truncatingIfNeeded: now.nanoseconds)
      stream =
        if let fork = identity.fork(at: now) {
          SimulationRandom(seed: seed, purpose: fork.seed, number)
        } else {
          SimulationRandom(seed: seed, purpose: number)
        }
    }
    return try draw(&stream)
  }
}
