import CSQLite
import CausewayDatabase

/// The rows of a query with the hashes of their columns.
///
/// The next run of a live query decodes only the rows whose columns have changed, because decoding
/// a row takes about ten times as long as hashing its columns. A hash has 64 bits, and its key is
/// random in each process. So a change stays unnoticed with a probability of 2⁻⁶⁴.
struct DecodedRows<Row: Sendable>: Sendable {
  private(set) var rows: [Row] = []
  private var hashes: [Int] = []
  private var columns: [String] = []
  /// The index at which the last result should have the next row; `nil` if the last result has
  /// other columns.
  private var expected: Int?

  /// The largest distance from the expected index at which a row is searched.
  ///
  /// Changes insert, remove and move few rows, so the other rows move by few places.
  private static var reach: Int { 4 }

  /// Adds the current row, and reuses the row of the last result if it is the same.
  mutating func append(
    _ row: StatementRow, reusing last: DecodedRows, decode: () throws -> Row
  ) rethrows {
    if hashes.isEmpty {
      columns = row.columns.names
      expected = columns == last.columns ? 0 : nil
    }
    let hash = row.hashOfRow()
    hashes.append(hash)
    if let expected, let index = last.index(of: hash, near: expected) {
      self.expected = index + 1
      rows.append(last.rows[index])
    } else {
      expected = expected.map { $0 + 1 }
      rows.append(try decode())
    }
  }

  private func index(of hash: Int, near expected: Int) -> Int? {
    if expected < hashes.count, hashes[expected] == hash { return expected }
    let lower = max(0, expected - Self.reach)
    let upper = min(hashes.count, expected + Self.reach + 1)
    return lower < upper ? (lower..<upper).first { hashes[$0] == hash } : nil
  }
}

extension StatementRow {
  /// The hash of the types and the values of the current row's columns.
  fileprivate func hashOfRow() -> Int {
    var hasher = Hasher()
    for column in 0..<Int32(columns.names.count) {
      let type = sqlite3_column_type(row, column)
      hasher.combine(UInt8(truncatingIfNeeded: type))
      switch type {
      case SQLITE_INTEGER: hasher.combine(sqlite3_column_int64(row, column))
      case SQLITE_FLOAT: hasher.combine(sqlite3_column_double(row, column).bitPattern)
      case SQLITE_NULL: break
      default:
        let bytes = sqlite3_column_blob(row, column)
        let count = Int(sqlite3_column_bytes(row, column))
        hasher.combine(count)
        hasher.combine(bytes: UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
      }
    }
    return hasher.finalize()
  }
}
