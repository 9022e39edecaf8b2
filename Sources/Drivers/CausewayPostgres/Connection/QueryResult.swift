import CPostgres
import CausewayDatabase

/// The result of one statement; frees the memory of libpq.
final class QueryResult {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  deinit {
    PQclear(handle)
  }

  var rowCount: Int32 { PQntuples(handle) }

  /// The kind of the statement, such as `INSERT`.
  var command: Substring {
    String(cString: PQcmdStatus(handle)).prefix { $0 != " " }
  }

  /// The number of rows that the statement changed.
  var changedRows: Int {
    switch command {
    case "INSERT", "UPDATE", "DELETE", "MERGE", "COPY":
      Int(String(cString: PQcmdTuples(handle))) ?? 0
    default: 0
    }
  }

  /// Returns a value of the first row as text; `nil` for NULL or if there is no row.
  func text(_ column: Int32, row: Int32 = 0) -> String? {
    guard row < rowCount, PQgetisnull(handle, row, column) == 0 else { return nil }
    return PQgetvalue(handle, row, column).map { String(cString: $0) }
  }
}

/// The answer to one command of a batch.
enum Reply {
  case result(QueryResult)
  case failure(PersistenceError)
  /// An earlier command of the batch failed.
  case skipped
}
