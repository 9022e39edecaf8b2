public import CausewayBasics
import CausewayDatabase
import Foundation

extension DatabaseBacking {
  /// The bytes of a row, whether or not they can be decoded.
  struct Found: Decodable, Sendable {
    let place: Int64
    let key: [UInt8]
    let value: [UInt8]
  }

  /// Removes all damaged rows from the table, and the table of rows that were set aside.
  ///
  /// The remains of the rows stay in the files of the service until ``erase(after:)``.
  ///
  /// - Throws: `PersistenceError`.
  @concurrent
  public func removeDamaged() async throws {
    try await service.write { transaction in
      for row in decode(try rows(in: transaction)).damaged {
        try transaction.execute("DELETE FROM \(identifier: table) WHERE rowid = \(row.place)")
      }
      try transaction.execute("DROP TABLE IF EXISTS \(identifier: damagedTable)")
    }
  }

  /// Records in the file that the remains of the table's rows must be erased.
  ///
  /// At a sign-in, it does so only if the table has rows or damaged rows were set aside.
  ///
  /// - Throws: `PersistenceError`.
  @concurrent
  public func willRemoveAll(for wipe: SessionParticipant.Wipe) async throws {
    try await service.write { transaction in
      if try wipe.isLogout || hasRows(in: transaction) { try transaction.markForErasing() }
    }
  }

  /// Removes the remains of deleted rows from the files of the service.
  ///
  /// At a sign-in, this keeps damaged files of the service that were set aside.
  ///
  /// - Throws: The errors of ``PersistenceService/eraseDeleted()``.
  @concurrent
  public func erase(after wipe: SessionParticipant.Wipe) async throws {
    try await service.erase(after: wipe)
  }

  private func hasRows(in transaction: any ReadTransaction) throws(PersistenceError) -> Bool {
    try transaction.row(
      """
      SELECT EXISTS (SELECT 1 FROM \(identifier: table))
      OR EXISTS (SELECT 1 FROM sqlite_schema WHERE name = \(damagedTable))
      """, as: Bool.self) ?? false
  }

  private var damagedTable: String { "\(table)_damaged" }

  /// The values are read as bytes, because SQLite would change damaged text if it returned text.
  func rows(in transaction: any ReadTransaction) throws(PersistenceError) -> [Found] {
    try transaction.rows(
      """
      SELECT rowid AS place, CAST(key AS BLOB) AS key, CAST(value AS BLOB) AS value
      FROM \(identifier: table)
      """, as: Found.self)
  }

  func decode(_ rows: [Found]) -> (values: [Key: Value], damaged: [Found]) {
    let decoder = JSONDecoder()
    var values: [Key: Value] = [:]
    var damaged: [Found] = []
    for row in rows {
      if let key = String(validating: row.key, as: UTF8.self).flatMap(key),
        let value = try? decoder.decode(Value.self, from: Data(row.value))
      {
        values[key] = value
      } else {
        damaged.append(row)
      }
    }
    return (values, damaged)
  }

  func setAside(_ damaged: [Found]) async {
    let what = "Damaged rows in the table \(table): \(damaged.count)"
    do {
      try await service.write { transaction in
        try transaction.execute(
          """
          CREATE TABLE IF NOT EXISTS \(identifier: damagedTable)
            (key PRIMARY KEY NOT NULL, value NOT NULL, date REAL NOT NULL)
          """)
        for row in damaged { try setAside(row, in: transaction) }
      }
      report(PersistenceError(.decoding, message: "\(what), set aside in \(damagedTable)"))
    } catch is CancellationError {
      // The caller of this load was cancelled. The next load finds the same rows.
    } catch {
      let reason = (error as? PersistenceError)?.message ?? String(describing: error)
      report(
        PersistenceError(.decoding, message: "\(what), which could not be set aside: \(reason)"))
    }
  }

  /// Moves a row to the table of damaged rows, unless it was replaced after it was read.
  private func setAside(_ row: Found, in transaction: any WriteTransaction) throws {
    let isSame: SQL = """
      rowid = \(row.place) AND CAST(key AS BLOB) = \(row.key)
      AND CAST(value AS BLOB) = \(row.value)
      """
    try transaction.execute(
      """
      INSERT OR REPLACE INTO \(identifier: damagedTable) (key, value, date)
      SELECT key, value, \(SystemValues.date) FROM \(identifier: table) WHERE \(isSame)
      """)
    try transaction.execute("DELETE FROM \(identifier: table) WHERE \(isSame)")
  }
}
