/// Finds the name that was probably meant.
enum NearestName {
  /// The text `; did you mean "name"?` for the nearest of the names, or nothing.
  ///
  /// Complexity: O(n) in the number of names.
  static func hint(for name: String, in names: some Sequence<String>) -> String {
    nearest(to: name, in: names).map { "; did you mean \"\($0)\"?" } ?? "."
  }

  static func nearest(to name: String, in names: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().utf8)
    let limit = wanted.count < 4 ? 1 : wanted.count < 9 ? 2 : 3
    var best: (name: String, distance: Int)?
    for candidate in names.sorted() where candidate != name {
      let distance = distance(wanted, Array(candidate.lowercased().utf8))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    if abs(left.count - right.count) > 3 { return 4 }
    var previous = [Int](repeating: 0, count: right.count + 1)
    var row = Array(0...right.count)
    for i in 1...left.count {
      var next = [i] + [Int](repeating: 0, count: right.count)
      for j in 1...right.count {
        let change = left[i - 1] == right[j - 1] ? 0 : 1
        next[j] = min(row[j] + 1, next[j - 1] + 1, row[j - 1] + change)
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          next[j] = min(next[j], previous[j - 2] + 1)
        }
      }
      (previous, row) = (row, next)
    }
    return row[right.count]
  }

  /// The texts at distance 1, for names that can only be tested one by one.
  ///
  /// Complexity: O(n²) in the length of the name, which is cut at 40.
  static func neighbours(of name: String) -> [String] {
    let letters = Array(name.prefix(40))
    let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
    var found: [String] = []
    for index in letters.indices {
      var other = letters
      if index + 1 < letters.count {
        other.swapAt(index, index + 1)
        found.append(String(other))
        other = letters
      }
      other.remove(at: index)
      found.append(String(other))
    }
    for index in 0...letters.count {
      for letter in alphabet {
        var other = letters
        other.insert(letter, at: index)
        found.append(String(other))
        if index < letters.count {
          other = letters
          other[index] = letter
          found.append(String(other))
        }
      }
    }
    return found
  }
}
