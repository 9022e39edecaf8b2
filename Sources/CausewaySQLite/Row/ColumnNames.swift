/// Finds the columns of a result by name.
///
/// A type asks for its keys in the same order for each row. The order is learnt from the first row,
/// so that a look-up is one comparison of equal strings instead of a search.
final class ColumnNames {
  private struct Step {
    let key: String
    let column: Int32
  }

  static let missing: Int32 = -1
  static let ambiguous: Int32 = -2

  let names: [String]
  private let columns: [String: Int32]
  // Used for each value of each row. Nothing that is called while they are accessed comes back
  // here, so that checking for overlapping accesses would find nothing and only cost time.
  @exclusivity(unchecked) private var steps: [Step] = []
  @exclusivity(unchecked) private var next = 0

  init(_ names: [String]) {
    self.names = names
    columns = Dictionary(
      names.enumerated().map { ($0.element, Int32($0.offset)) },
      uniquingKeysWith: { _, _ in Self.ambiguous })
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
    if position < steps.count {
      let step = steps[position]
      if step.key == key { return step.column }
    }
    let step = Step(key: key, column: columns[key] ?? Self.missing)
    if position < steps.count {
      steps[position] = step
    } else {
      steps.append(step)
    }
    return step.column
  }
}
