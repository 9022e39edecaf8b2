import CausewayExploration
import CausewaySystem

/// A source of random numbers that a seed determines.
///
/// Do not use it for secrets.
public struct SimulationRandom: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// Makes a source.
  public init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  var state: UInt64 { generator.state }

  /// Makes a source for one purpose; the use of other sources does not change its numbers.
  init(seed: UInt64, purpose: UInt64...) {
    generator = SplitMix64(seed: seed, purposes: purpose)
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 { generator.next() }

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
