/// Finds the columns of a result by name.
///
/// A type decodes its keys in the same order for each row. The first row records this order. For
/// later rows, a look-up usually compares two equal strings and does not search.
package final class ColumnNames {
  private struct Step {
    var key: String
    var column: Int32
  }

  package static let missing: Int32 = -1
  package static let ambiguous: Int32 = -2

  package let names: [String]
  private let columns: [String: Int32]
  // This memory is read for each value of each row. Counting references to an array would cost more
  // than the look-up. The memory is private, and `count` is its bound.
  private let steps: UnsafeMutableBufferPointer<Step>
  // No code that runs during an access calls back into this class, so the check for overlapping
  // accesses is not needed.
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var next = 0

  package init(_ names: [String]) {
    self.names = names
    columns = Dictionary(
      names.enumerated().map { ($0.element, Int32($0.offset)) },
      uniquingKeysWith: { _, _ in Self.ambiguous })
    // A type may look up each key twice, because it may first ask whether the key exists.
    steps = .allocate(capacity: names.count * 2 + 8)
  }

  deinit {
    steps.prefix(count).deinitialize()
    steps.deallocate()
  }

  /// Starts the next row at the first column of the recorded order.
  func beginRow() {
    next = 0
  }

  /// Returns the index of a column; `missing`, or `ambiguous` if several columns have the name.
  ///
  /// - Complexity: O(1).
  package func column(_ key: String) -> Int32 {
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
