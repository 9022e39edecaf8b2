/// A source of random numbers that a seed determines.
///
/// The algorithm is Sebastiano Vigna's SplitMix64, which is small and fast. Do not use it for
/// secrets.
public struct SimulationRandom: RandomNumberGenerator, Sendable {
  private(set) var state: UInt64

  /// Makes a source.
  public init(seed: UInt64) {
    state = seed
  }

  /// Makes a source for one purpose; the use of other sources does not change its numbers.
  init(seed: UInt64, purpose: UInt64...) {
    var mixed = SimulationRandom(seed: seed)
    for part in purpose {
      mixed = SimulationRandom(seed: mixed.next() ^ part)
    }
    state = mixed.next()
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to 1, excluding 1.
  mutating func nextFraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns whether an event with a probability from 0 to 1 happens.
  public mutating func happens(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  /// Returns a duration in a range, in whole microseconds.
  public mutating func duration(in range: ClosedRange<Duration>) -> Duration {
    .microseconds(
      Int64.random(in: range.lowerBound.microseconds...range.upperBound.microseconds, using: &self))
  }
}

extension Duration {
  /// The whole microseconds of the duration.
  var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }

  /// The whole nanoseconds of the duration.
  var nanoseconds: Int64 {
    components.seconds &* 1_000_000_000 &+ components.attoseconds / 1_000_000_000
  }
}
