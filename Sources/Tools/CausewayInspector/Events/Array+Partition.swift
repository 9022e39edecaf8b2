extension Array {
  /// The index of the first element that does not meet a condition; all earlier elements meet it.
  ///
  /// Complexity: O(log *n*).
  func partitionIndex(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
