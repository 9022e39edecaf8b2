import CausewayBasics
import CausewaySystem
import Synchronization

/// A source of random numbers that a feature reads as a provided value.
///
/// Copies take their numbers from the same sequence, so no number is taken twice.
public struct RandomNumbers: RandomNumberGenerator, Sendable {
  private let word: @Sendable () -> UInt64

  /// Makes the random numbers of the system, or of the simulation that runs.
  public init() {
    word = { SystemValues.randomWord() }
  }

  /// Makes the sequence of a seed.
  ///
  /// - Parameter seed: Equal seeds give equal sequences.
  public init(seed: UInt64) {
    let sequence = Sequence(seed: seed)
    word = { sequence.next() }
  }

  /// Returns the next number.
  public func next() -> UInt64 { word() }

  private final class Sequence: Sendable {
    private let numbers: Mutex<SplitMix64>

    init(seed: UInt64) { numbers = Mutex(SplitMix64(seed: seed)) }

    func next() -> UInt64 { numbers.withLock { $0.next() } }
  }
}
