/// The known name that a person probably meant.
enum Suggestion {
  /// A question such as `; did you mean 'paths'?`, or an empty text.
  static func text(for name: String, in known: some Sequence<String>) -> String {
    nearest(to: name, in: known).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The known name with the fewest changes, if these are few for its length.
  static func nearest(to name: String, in known: some Sequence<String>) -> String? {
    // The words of a name can be in another order.
    let words = Set(name.lowercased().split(separator: "-"))
    let candidates = known.map { other -> (name: String, changes: Int) in
      let hasSameWords = words.count > 1 && Set(other.lowercased().split(separator: "-")) == words
      return (other, hasSameWords ? 0 : changes(from: name.lowercased(), to: other.lowercased()))
    }
    guard let best = candidates.min(by: { ($0.changes, $0.name) < ($1.changes, $1.name) }) else {
      return nil
    }
    return best.changes <= max(2, best.name.count / 4) && best.changes < best.name.count
      ? best.name : nil
  }

  /// The number of insertions, removals, replacements and swaps of neighbours.
  ///
  /// - Complexity: O(*n* · *m*).
  static func changes(from left: String, to right: String) -> Int {
    let left = Array(left.unicodeScalars.prefix(64))
    let right = Array(right.unicodeScalars.prefix(64))
    var before: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        var cost = min(
          previous[column] + (left[row] == right[column] ? 0 : 1),
          previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        current.append(cost)
      }
      before = previous
      previous = current
    }
    return previous[right.count]
  }
}
