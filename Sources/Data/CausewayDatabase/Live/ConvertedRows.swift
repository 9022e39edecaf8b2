import Synchronization

/// Values that are made from the rows of a live query, once for each version of a row.
///
/// Converting a row, such as decoding JSON, can take longer than reading it. After a change, only the
/// changed rows are converted:
///
/// ```swift
/// let boats = ConvertedRows<StoredBoat, Boat> { Boat(json: $0.body) }
/// for try await rows in service.observe(query, as: StoredBoat.self).versions {
///   show(boats.update(rows))
/// }
/// ```
///
/// For very many rows, use ``changes(to:)``, which processes only the changed rows.
///
/// Rows are identified by their ids, which must be unique.
public final class ConvertedRows<Row: Identifiable & Equatable & Sendable, Value: Sendable>:
  Sendable
where Row.ID: Sendable {
  fileprivate struct State {
    var rows: LiveRows<Row>?
    /// The value of each row that has one.
    var values: [Row.ID: Value] = [:]
  }

  private let convert: @Sendable (Row) -> Value?
  private let state = Mutex(State())

  /// Makes values for the versions of one query.
  ///
  /// - Parameter convert: Makes the value of a row; `nil` leaves the row out.
  public init(convert: @escaping @Sendable (Row) -> Value?) { self.convert = convert }

  /// Returns the values of a version in the order of its rows, and converts the changed rows.
  ///
  /// Not for concurrent calls. Complexity: O(*n*).
  public func update(_ rows: LiveRows<Row>) -> [Value] {
    withState { known in
      _ = known.changes(to: rows, convert)
      return rows.compactMap { known.values[$0.id] }
    }
  }

  /// Converts the changed rows, and returns the removed and the inserted values.
  ///
  /// If a row was changed, its old value is removed and its new value is inserted. For the first
  /// version, all values are inserted. A collection to which these changes are applied stays equal
  /// to the values of the rows:
  ///
  /// ```swift
  /// for try await rows in service.observe(query, as: StoredBoat.self).versions {
  ///   let (removed, inserted) = boats.changes(to: rows)
  ///   fleet.replace(removed, by: inserted)
  /// }
  /// ```
  ///
  /// Not for concurrent calls. Complexity: the cost of ``LiveRows/index(of:)`` for each changed
  /// row, and O(*n*) for a version whose changes are not known.
  public func changes(to rows: LiveRows<Row>) -> (removed: [Value], inserted: [Value]) {
    withState { $0.changes(to: rows, convert) }
  }

  /// Changes the state in place, without the lock: `convert` can take long.
  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    var known = state.withLock { state in
      defer { state = State() }
      return state
    }
    defer { state.withLock { [known] in $0 = known } }
    return body(&known)
  }
}

extension ConvertedRows.State {
  fileprivate mutating func changes(
    to new: LiveRows<Row>, _ convert: (Row) -> Value?
  ) -> (removed: [Value], inserted: [Value]) {
    let (gone, fresh) = difference(to: new)
    rows = new
    // An id can move to another row of the table, so all old values are removed first.
    let removed = gone.compactMap { values.removeValue(forKey: $0.id) }
    var inserted: [Value] = []
    inserted.reserveCapacity(fresh.count)
    for row in fresh {
      guard let value = convert(row) else { continue }
      values[row.id] = value
      inserted.append(value)
    }
    return (removed, inserted)
  }

  /// The rows that only the known version has, and the rows that only the new version has.
  private func difference(to new: LiveRows<Row>) -> (gone: [Row], fresh: [Row]) {
    guard let old = rows else { return ([], Array(new)) }
    if let changed = new.changedIDs {
      let pairs = zip(old.rows(of: changed), new.rows(of: changed)).filter { $0 != $1 }
      return (pairs.compactMap(\.0), pairs.compactMap(\.1))
    }
    if old.count == new.count, zip(old, new).allSatisfy({ $0.id == $1.id }) {
      let pairs = zip(old, new).filter { $0 != $1 }
      return (pairs.map(\.0), pairs.map(\.1))
    }
    var known = Dictionary(old.lazy.map { ($0.id, $0) }) { first, _ in first }
    let fresh = new.filter { row in
      guard known[row.id] == row else { return true }
      known[row.id] = nil
      return false
    }
    return (Array(known.values), fresh)
  }
}

extension LiveRows {
  /// The rows with the given identities, in the same order; `nil` for a missing row.
  fileprivate func rows(of ids: Set<Int64>) -> [Row?] {
    let places = places(of: ids)
    return ids.sorted().map { id in
      places[id].map { parts[$0.part].rows[parts[$0.part].rows.startIndex + $0.offset] }
    }
  }
}
