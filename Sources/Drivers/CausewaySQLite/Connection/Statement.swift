import CSQLite
import CausewayDatabase
import Foundation

/// A compiled statement that can run many times.
///
/// Used only on the actor of its connection.
final class Statement {
  let handle: OpaquePointer
  let text: String
  let access: StatementAccess
  let isReadOnly: Bool
  let bindingCount: Int
  /// The number of columns at the end that do not belong to the result's rows.
  ///
  /// A query of an app can have the same text, so each run sets it.
  var addedColumns: Int32 = 0 {
    didSet { if addedColumns != oldValue { columns = nil } }
  }
  /// The number of the last use of the ``StatementCache`` that returned this statement.
  var lastUse = 0
  /// Whether the statement may resolve conflicts by deleting rows.
  private(set) lazy var mayReplace = text.lowercased().contains("replace")
  /// The columns with which the bound values are compared.
  private(set) lazy var compared = ComparedColumns(text)
  /// The forms of UUIDs in columns, as far as they are known.
  var uuidForms: [String: Set<UUIDForm>] = [:]
  private var columns: ColumnNames?
  private var compilations: Int32 = 0

  init(_ handle: OpaquePointer, text: String, access: StatementAccess) {
    self.handle = handle
    self.text = text
    self.access = access
    isReadOnly = sqlite3_stmt_readonly(handle) != 0
    bindingCount = Int(sqlite3_bind_parameter_count(handle))
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// The names of the result's columns, valid after the first step of a run.
  ///
  /// SQLite may compile the statement again in a step, if the schema has changed.
  var columnNames: ColumnNames {
    let compilations = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
    if let columns, compilations == self.compilations { return columns }
    let names = (0..<max(0, sqlite3_column_count(handle) - addedColumns)).map { index in
      sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
    }
    let columns = ColumnNames(names)
    self.columns = columns
    self.compilations = compilations
    return columns
  }

  func bind(_ values: [SQLValue]) throws(PersistenceError) {
    guard values.count == bindingCount else {
      throw PersistenceError(
        .statement, message: "\(bindingCount) placeholders for \(values.count) values", sql: text)
    }
    for index in values.indices {
      // SQLite does not support NaN and would store NULL. Other values are never refused.
      switch values[index] {
      case .date(let date) where !date.isStorableAsNumber:
        throw .dateOutOfRange(sql: text)
      case .real:
        if let reason = values[index].refusal {
          throw PersistenceError(.encoding, message: reason, sql: text)
        }
      default: break
      }
      let code = bind(values[index], at: Int32(index + 1))
      guard code == SQLITE_OK else {
        throw .sqlite(code, on: sqlite3_db_handle(handle), sql: text)
      }
    }
  }

  /// Resets the statement, and releases its locks and bound values.
  func reset() {
    sqlite3_reset(handle)
    if bindingCount > 0 { sqlite3_clear_bindings(handle) }
  }

  /// Resets the statement for the next run with other values.
  func rewind() {
    sqlite3_reset(handle)
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .uuid(let uuid):
      bind(.text(uuid.uuidString), at: index)
    case .null:
      sqlite3_bind_null(handle, index)
    case .boolean(let flag):
      sqlite3_bind_int64(handle, index, flag ? 1 : 0)
    case .integer(let integer):
      sqlite3_bind_int64(handle, index, integer)
    case .real(let real):
      sqlite3_bind_double(handle, index, real)
    case .date(let date):
      sqlite3_bind_double(handle, index, date.timeIntervalSinceReferenceDate)
    case .text(let text):
      text.withUTF8Bytes {
        $0.withMemoryRebound(to: CChar.self) { characters in
          // The base address of an empty buffer may be `nil`, which SQLite treats as NULL.
          characters.isEmpty
            ? causeway_sqlite3_bind_text(handle, index, "", 0)
            : causeway_sqlite3_bind_text(
              handle, index, characters.baseAddress, UInt64(characters.count))
        }
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes {
        $0.isEmpty
          ? sqlite3_bind_zeroblob(handle, index, 0)
          : causeway_sqlite3_bind_blob(handle, index, $0.baseAddress, UInt64($0.count))
      }
    }
  }
}

extension String {
  /// Calls a closure with the bytes, and copies only texts that are not stored in UTF-8.
  fileprivate func withUTF8Bytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}
