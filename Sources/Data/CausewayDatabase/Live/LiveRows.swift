import Synchronization

/// One version of the rows of a live query.
///
/// Versions share the rows that did not change, so a version of a large result costs little more
/// than its changes. If the service has followed a query from commit to commit, the rows have
/// identities, and ``changedIDs`` contains the identities of the changed rows. The code that shows
/// the rows then does not need to compare them:
///
/// ```swift
/// for try await rows in service.observe("SELECT * FROM boat ORDER BY name", as: Boat.self).versions {
///   guard let changed = rows.changedIDs else { show(all: rows); continue }
///   for id in changed { show(id, rows.index(of: id).map { rows[$0] }) }
/// }
/// ```
public struct LiveRows<Row: Sendable>: Sendable {
  /// Consecutive rows; `ids` is empty for rows without identities.
  struct Part: Sendable {
    var rows: ArraySlice<Row>
    var ids: ArraySlice<Int64> = []
    /// The values of the columns that determine the order, `keyCount` for each row.
    var keys: ArraySlice<SQLValue> = []
  }

  /// The number of rows of a part; about the square root of the size of a large result.
  static var partSize: Int { 256 }

  var parts: [Part]
  /// The position of the first row of each part.
  private var starts: [Int] = []
  /// The number of rows.
  public private(set) var count = 0
  /// The order of the rows with identities; `nil` for rows without identities.
  let order: RowOrder?
  private let array: WholeArray<Row>

  /// The identities of the rows that changed since the previous version of this consumer.
  ///
  /// These include the inserted, moved and removed rows.
  ///
  /// `nil` if the changes are not known, so every row may have changed. This is the case for the
  /// first version, for short queries, for queries of several tables, and after commits of other
  /// processes.
  public internal(set) var changedIDs: Set<Int64>?

  /// Makes rows without identities.
  package init(_ rows: [Row]) {
    parts = rows.isEmpty ? [] : [Part(rows: rows[...])]
    order = nil
    array = WholeArray(rows)
    count = rows.count
    if !rows.isEmpty { starts = [0] }
  }

  /// Makes rows with identities, in the given order.
  ///
  /// - Parameter keys: The values of the ordering columns of each row, one row after the other.
  package init(_ rows: [Row], ids: [Int64], keys: [SQLValue], order: RowOrder) {
    let width = order.keyCount
    let parts = stride(from: 0, to: rows.count, by: Self.partSize).map { start in
      let end = Swift.min(start + Self.partSize, rows.count)
      return Part(
        rows: rows[start..<end], ids: ids[start..<end], keys: keys[start * width..<end * width])
    }
    self.init(parts, order, WholeArray(rows))
  }

  init(_ parts: [Part], _ order: RowOrder?, _ array: WholeArray<Row> = WholeArray()) {
    self.parts = parts
    self.order = order
    self.array = array
    starts.reserveCapacity(parts.count)
    for part in parts {
      starts.append(count)
      count += part.rows.count
    }
  }

  /// All rows as an array, which all consumers of this version share.
  ///
  /// - Complexity: O(*n*) at the first use of a version that was made from the version before;
  ///   otherwise O(1).
  var asArray: [Row] {
    array.get {
      var rows: [Row] = []
      rows.reserveCapacity(count)
      for part in parts { rows += part.rows }
      return rows
    }
  }

  /// Returns the identity of the row at a position: its row id in the table.
  ///
  /// This is also the value of a column `INTEGER PRIMARY KEY`. `nil` if the rows have no identities.
  ///
  /// - Complexity: O(log *n*).
  public func id(at position: Int) -> Int64? {
    guard order != nil else { return nil }
    let number = part(at: position)
    return parts[number].ids[parts[number].ids.startIndex + position - starts[number]]
  }

  /// Returns the position of the row with an identity.
  ///
  /// - Complexity: O(log *n*) if the rows are in the order of their identities, otherwise O(*n*).
  public func index(of id: Int64) -> Int? {
    guard let place = places(of: [id])[id] else { return nil }
    return starts[place.part] + place.offset
  }

  /// The first position of a part.
  func start(of part: Int) -> Int { starts[part] }

  private func part(at position: Int) -> Int {
    precondition(position >= 0 && position < count, "There is no row at this position.")
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }
}

extension LiveRows: RandomAccessCollection {
  /// The position of the first row.
  public var startIndex: Int { 0 }
  /// The position after the last row.
  public var endIndex: Int { count }

  /// The row at a position.
  ///
  /// - Complexity: O(log *n*).
  public subscript(position: Int) -> Row {
    let number = part(at: position)
    return parts[number].rows[parts[number].rows.startIndex + position - starts[number]]
  }

  /// Returns an iterator, which takes O(1) for each row.
  public func makeIterator() -> Iterator { Iterator(parts) }

  /// Iterates over the rows in their order.
  public struct Iterator: IteratorProtocol {
    private var parts: IndexingIterator<[Part]>
    private var rows: ArraySlice<Row>.Iterator

    init(_ parts: [Part]) {
      self.parts = parts.makeIterator()
      rows = ArraySlice().makeIterator()
    }

    /// Returns the next row; `nil` after the last.
    public mutating func next() -> Row? {
      while true {
        if let row = rows.next() { return row }
        guard let part = parts.next() else { return nil }
        rows = part.rows.makeIterator()
      }
    }
  }
}

extension LiveRows where Row: Equatable {
  /// Whether both versions have equal rows in the same order.
  func hasEqualRows(as other: LiveRows) -> Bool {
    guard count == other.count else { return false }
    if let rows = array.known, let others = other.array.known { return rows == others }
    return elementsEqual(other)
  }
}

/// The rows of a version in one array, which is made when it is needed.
final class WholeArray<Row: Sendable>: Sendable {
  private let rows: Mutex<[Row]?>

  init(_ rows: [Row]? = nil) { self.rows = Mutex(rows) }

  var known: [Row]? { rows.withLock { $0 } }

  func get(_ make: () -> [Row]) -> [Row] {
    if let known { return known }
    // The rows are copied without the lock. If two consumers do this at the same time, both arrays
    // are equal.
    let made = make()
    return rows.withLock { rows in
      if let rows { return rows }
      rows = made
      return made
    }
  }
}
