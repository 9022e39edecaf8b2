extension String {
  /// Whether two texts have the same bytes; `==` treats different encodings of a character as equal.
  ///
  /// Complexity: O(*n*) in the length of the text.
  package func hasSameBytes(as other: String) -> Bool {
    let (left, right) = (utf8, other.utf8)
    guard left.count == right.count else { return false }
    let result = left.withContiguousStorageIfAvailable { left in
      right.withContiguousStorageIfAvailable { right in
        guard let start = left.baseAddress, let other = right.baseAddress else { return true }
        return memcmp(start, other, left.count) == 0
      }
    }
    return (result ?? nil) ?? left.elementsEqual(right)
  }
}
