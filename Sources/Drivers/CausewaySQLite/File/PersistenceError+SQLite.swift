import CSQLite
import CausewayDatabase

extension PersistenceError {
  /// Makes an error from the last error of a connection.
  static func sqlite(
    _ code: Int32, on database: OpaquePointer?, sql: String? = nil
  ) -> PersistenceError {
    let message =
      database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    return PersistenceError(
      Kind(sqliteCode: code), code: Int(code & 0xFF), extendedCode: Int(code), message: message,
      sql: sql)
  }

  static let closed = PersistenceError(.closed, message: "The service is closed")

  static let aborted = PersistenceError(
    .aborted, message: "The transaction was rolled back by an earlier failure")

  func adding(sql: String) -> PersistenceError {
    var error = self
    error.sql = error.sql ?? sql
    return error
  }
}

extension PersistenceError.Kind {
  init(sqliteCode code: Int32) {
    self =
      switch code & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
      case SQLITE_FULL: .full
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_NOTADB: .notADatabase
      case SQLITE_READONLY, SQLITE_PERM: .readOnly
      case SQLITE_CANTOPEN: .cannotOpen
      case SQLITE_CONSTRAINT: .constraint(.init(sqliteCode: code))
      case SQLITE_IOERR: .inputOutput
      case SQLITE_INTERRUPT: .interrupted
      case SQLITE_ABORT: .aborted
      case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_MISUSE, SQLITE_RANGE, SQLITE_AUTH,
        SQLITE_TOOBIG:
        .statement
      default: .other
      }
  }
}

extension PersistenceError.Constraint {
  init(sqliteCode code: Int32) {
    // Swift does not import the extended codes, because they are macros with arithmetic: `19 | (n
    // << 8)`.
    self =
      switch code >> 8 {
      case 1: .check
      case 3: .foreignKey
      case 5: .notNull
      // A unique column, a primary key and a row identifier.
      case 6, 8, 10: .unique
      default: .other
      }
  }
}
