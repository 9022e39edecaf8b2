/// Finds the columns of a result by name.
///
/// A type asks for its keys in the same order for each row. The order is learnt from the first row,
/// so that a look-up is one comparison of equal strings instead of a search.
final class ColumnNames {
  private struct Step {
    var key: String
    var column: Int32
  }

  static let missing: Int32 = -1
  static let ambiguous: Int32 = -2

  let names: [String]
  private let columns: [String: Int32]
  // Used for each value of each row, where counting references to an array would cost more than the
  // look-up. No other code sees the memory, and `count` bounds it.
  private let steps: UnsafeMutableBufferPointer<Step>
  // Nothing that is called while they are accessed comes back here, so that checking for
  // overlapping accesses would find nothing and only cost time.
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var next = 0

  init(_ names: [String]) {
    self.names = names
    columns = Dictionary(
      names.enumerated().map { ($0.element, Int32($0.offset)) },
      uniquingKeysWith: { _, _ in Self.ambiguous })
    // A type may ask twice for a key, first whether it is there.
    steps = .allocate(capacity: names.count * 2 + 8)
  }

  deinit {
    steps.prefix(count).deinitialize()
    steps.deallocate()
  }

  /// Starts over with the order, for the next row.
  func beginRow() {
    next = 0
  }

  /// The index of a column, `missing`, or `ambiguous` if several have the name.
  ///
  /// - Complexity: O(1).
  func column(_ key: String) -> Int32 {
    let position = next
    next = position &+ 1
    if position < count, steps[position].key == key { return steps[position].column }
    return learn(key, at: position)
  }

  private func learn(_ key: String, at position: Int) -> Int32 {
    let column = columns[key] ?? Self.missing
    if position < count {
      steps[position] = Step(key: key, column: column)
    } else if position == count, count < steps.count {
      steps.initializeElement(at: count, to: Step(key: key, column: column))
      count += 1
    }
    return column
  }
}
