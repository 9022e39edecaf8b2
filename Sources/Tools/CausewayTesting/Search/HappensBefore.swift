/// The pairs of steps of a trial that have the same order in all equivalent orders.
struct HappensBefore {
  /// For each step, a bit for each earlier step that comes before it in every equivalent order.
  private var before: [BitSet] = []

  func isOrdered(_ earlier: Int, _ later: Int) -> Bool {
    before[later].contains(earlier)
  }

  /// Adds a step.
  ///
  /// - Parameters:
  ///   - forced: The steps that the new step follows in any case.
  ///   - conflicts: The steps on which the new step depends.
  /// - Returns: The conflicts whose order nothing else forces.
  mutating func append(_ forced: [Int], _ conflicts: [Int]) -> [Int] {
    var set = BitSet()
    for index in forced {
      set.formUnion(before[index])
      set.insert(index)
    }
    var races: [Int] = []
    for index in conflicts.reversed() where !set.contains(index) {
      races.append(index)
      set.formUnion(before[index])
      set.insert(index)
    }
    before.append(set)
    return races
  }
}

/// A set of small numbers.
private struct BitSet {
  private var words: [UInt64] = []

  func contains(_ number: Int) -> Bool {
    number / 64 < words.count && words[number / 64] >> UInt64(number % 64) & 1 == 1
  }

  mutating func insert(_ number: Int) {
    while words.count <= number / 64 { words.append(0) }
    words[number / 64] |= 1 << UInt64(number % 64)
  }

  mutating func formUnion(_ other: BitSet) {
    while words.count < other.words.count { words.append(0) }
    for index in other.words.indices { words[index] |= other.words[index] }
  }
}
