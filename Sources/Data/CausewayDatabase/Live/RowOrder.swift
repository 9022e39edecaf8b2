/// The order of the rows of a followed query, as SQLite sorts them.
///
/// Rows with equal keys are in the order of their row ids.
package struct RowOrder: Sendable, Equatable {
  /// Whether each key is descending.
  private let isDescending: [Bool]
  /// Whether rows with equal keys are in the descending order of their row ids.
  private let hasDescendingIDs: Bool

  package init(keysDescending: [Bool], idsDescending: Bool) {
    isDescending = keysDescending
    hasDescendingIDs = idsDescending
  }

  /// The number of key values of a row.
  var keyCount: Int { isDescending.count }

  func areEqual(_ left: ArraySlice<SQLValue>, _ right: ArraySlice<SQLValue>) -> Bool {
    compare(left, right) == 0
  }

  func precedes(
    _ left: ArraySlice<SQLValue>, _ leftID: Int64, _ right: ArraySlice<SQLValue>, _ rightID: Int64
  ) -> Bool {
    let result = compare(left, right)
    if result != 0 { return result < 0 }
    return hasDescendingIDs ? leftID > rightID : leftID < rightID
  }

  private func compare(_ left: ArraySlice<SQLValue>, _ right: ArraySlice<SQLValue>) -> Int {
    for offset in isDescending.indices {
      let result = left[left.startIndex + offset]
        .storedOrder(before: right[right.startIndex + offset])
      if result != 0 { return isDescending[offset] ? -result : result }
    }
    return 0
  }
}

extension SQLValue {
  /// Compares two values that a query has returned, in SQLite's order with the collation BINARY.
  ///
  /// NULL comes first, then numbers, texts and blobs.
  ///
  /// - Returns: A negative number if this value comes first, and 0 for equal values.
  fileprivate func storedOrder(before other: SQLValue) -> Int {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): Self.order(left, right)
    case (.real(let left), .real(let right)): Self.order(left, right)
    case (.integer(let left), .real(let right)): Self.order(left, right)
    case (.real(let left), .integer(let right)): -Self.order(right, left)
    case (.text(let left), .text(let right)): Self.order(bytes: left.utf8, right.utf8)
    case (.blob(let left), .blob(let right)): Self.order(bytes: left, right)
    default: Self.order(storageClass, other.storageClass)
    }
  }

  private var storageClass: Int {
    switch self {
    case .null: 0
    case .boolean, .integer, .real, .date: 1
    case .text, .uuid: 2
    case .blob: 3
    }
  }

  private static func order<T: Comparable>(_ left: T, _ right: T) -> Int {
    left < right ? -1 : left > right ? 1 : 0
  }

  /// Compares without rounding: not every integer is a `Double`.
  private static func order(_ integer: Int64, _ real: Double) -> Int {
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let whole = Int64(real)
    return integer == whole ? order(Double(whole), real) : order(integer, whole)
  }

  private static func order(bytes left: some Collection<UInt8>, _ right: some Collection<UInt8>)
    -> Int
  {
    for (left, right) in zip(left, right) where left != right { return order(left, right) }
    return order(left.count, right.count)
  }
}
