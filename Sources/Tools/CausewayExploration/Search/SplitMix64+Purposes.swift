package import CausewaySystem

extension SplitMix64 {
  /// Makes a source for one purpose; the use of other sources does not change its numbers.
  package init(seed: UInt64, purposes: [UInt64]) {
    var mixed = SplitMix64(seed: seed)
    for part in purposes { mixed = SplitMix64(seed: mixed.next() ^ part) }
    self.init(seed: mixed.next())
  }
}
