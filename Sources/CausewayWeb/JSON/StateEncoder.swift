/// Encodes successive versions of a view state.
///
/// It encodes a row of an array again only if the row has changed. Rows are elements that are
/// `Identifiable` and `Equatable`. Not for concurrent use.
final class StateEncoder {
  private let rows = RowCache()

  /// Encodes the next version.
  ///
  /// Throws the error of the value's `encode(to:)`. Complexity: O(n) comparisons of rows, and
  /// encoding for the rows and other members that have changed.
  func encode(_ value: some Encodable) throws -> JSONValue {
    defer { rows.finishPass() }
    return try JSONValue(encoding: value, reusing: rows)
  }
}

/// The rows of the last pass over a view state, with their encoded forms.
final class RowCache {
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let id: AnyHashable
  }

  private struct Entry {
    let row: any Equatable
    let encoded: JSONValue
    /// The rows inside of the row.
    let inner: RowCache?
  }

  private var last: [Key: Entry] = [:]
  private var next: [Key: Entry] = [:]

  /// Returns the encoded form of the row from the last pass, or encodes the row.
  ///
  /// - Parameter encode: Encodes the row with a cache for the rows inside of it.
  func encoded<Row: Identifiable & Equatable>(
    _ row: Row, _ encode: (RowCache) throws -> JSONValue
  ) rethrows -> JSONValue {
    let key = Key(type: ObjectIdentifier(Row.self), id: AnyHashable(row.id))
    let known = last[key]
    if let known, let old = known.row as? Row, old == row {
      next[key] = known
      return known.encoded
    }
    let inner = known?.inner ?? RowCache()
    let encoded = try encode(inner)
    inner.finishPass()
    next[key] = Entry(row: row, encoded: encoded, inner: inner.last.isEmpty ? nil : inner)
    return encoded
  }

  /// Removes the rows that the pass did not contain.
  func finishPass() {
    swap(&last, &next)
    next.removeAll(keepingCapacity: true)
  }
}
