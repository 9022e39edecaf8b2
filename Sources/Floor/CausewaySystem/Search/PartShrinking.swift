/// Leaves out parts of a failing trial, many at once and then one by one.
///
/// This is delta debugging, from A. Zeller and R. Hildebrandt, "Simplifying and Isolating
/// Failure-Inducing Input", IEEE TSE 2002. It begins with halves and not with all parts, because a
/// check without any part often fails for another reason. It ends when no single part can be left
/// out.
package struct PartShrinking {
  /// The number of parts of the shortest failing trial so far.
  private var count: Int
  /// The number of parts that are left out together.
  private var size: Int
  /// The first part that was not yet left out with this size.
  private var start = 0
  private var last = 0..<0
  /// Whether some parts could be left out with this size.
  private var isShorter = false

  package init(count: Int) {
    self.count = count
    size = max(1, count / 2)
  }

  /// Returns the parts that the next trial leaves out; `nil` at the end.
  package mutating func next() -> Range<Int>? {
    if count == 0 { return nil }
    if start >= count {
      // After a part was left out, an earlier part may no longer be needed.
      if size == 1, !isShorter { return nil }
      size = max(1, min(size / 2, count))
      (start, isShorter) = (0, false)
    }
    last = start..<min(start + size, count)
    start = last.upperBound
    return last
  }

  /// Continues from the trial without the last parts, because it failed too.
  ///
  /// - Parameter count: The number of parts of this trial.
  package mutating func keep(count: Int) {
    self.count = count
    start = last.lowerBound
    isShorter = true
  }
}
