import CSimulatedSystem
import CausewayExploration

/// How often the branches of this program were entered, by the compiler's counters.
///
/// Other threads may count at the same time, without synchronization. A count can then be slightly
/// too small, which has no other effect.
final class BranchCoverage {
  private let counters: UnsafeBufferPointer<UInt64>
  private var counts: [UInt64]
  /// The powers of two that each counter has reached within one update.
  private var reached: [UInt64]

  /// Returns `nil` if the program was built without counters.
  init?() {
    var count = 0
    guard let first = causeway_branch_counters(&count), count > 0 else { return nil }
    counters = UnsafeBufferPointer(start: first, count: count)
    counts = Array(repeating: 0, count: count)
    reached = counts
  }

  /// Returns whether a branch was entered for the first time, or about twice as often as in any
  /// earlier update.
  ///
  /// - Complexity: O(branches of the program).
  func update() -> Bool {
    var isNew = false
    for index in counters.indices {
      let count = counters[index]
      guard count != counts[index] else { continue }
      let power = UInt64(1) << UInt64(63 - (count &- counts[index]).leadingZeroBitCount)
      counts[index] = count
      if reached[index] & power == 0 {
        reached[index] |= power
        isNew = true
      }
    }
    return isNew
  }

  /// Ignores the branches that were entered since the last update.
  func skip() {
    for index in counters.indices { counts[index] = counters[index] }
  }
}
