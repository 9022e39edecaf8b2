import CausewayDatabase
import Foundation

/// Stores the records of one call: the first records by statements, the other records by `COPY`.
struct RecordWriter {
  /// The number of records that are stored by statements before the others are copied.
  ///
  /// A `COPY` needs additional round trips, which take too long for a few records.
  private static let bulk = 64
  /// The number of records in one batch of statements.
  private static let batch = 256

  private let transaction: PostgresTransaction
  private let table: String
  private let conflict: [String]?
  private let columns = RecordColumns()
  /// The condition of the partial index of the conflict; `nil` for an index of all rows.
  private var condition: String?

  private init(_ transaction: PostgresTransaction, table: String, conflict: [String]?) {
    self.transaction = transaction
    self.table = table
    self.conflict = conflict
  }

  /// Stores records.
  static func store<Records: Sequence>(
    _ records: Records, into table: String, conflict: [String]?,
    _ transaction: PostgresTransaction
  ) throws(PersistenceError) where Records.Element: Encodable {
    var writer = RecordWriter(transaction, table: table, conflict: conflict)
    if let conflict { writer.condition = try transaction.indexCondition(of: table, on: conflict) }
    try writer.store(records)
  }

  private func store<Records: Sequence>(_ records: Records) throws(PersistenceError)
  where Records.Element: Encodable {
    var waiting: [(names: [String], values: [SQLValue])] = []
    var copies: CopyWriter?
    do {
      for record in records {
        try columns.encode(record)
        if let copy = copies, copy.names == columns.names {
          try copy.add(columns.values)
          continue
        }
        // The columns of this record differ from the columns of the copied records.
        try copies?.finish()
        copies = nil
        if conflict == nil, waiting.count >= Self.bulk,
          let bulk = try transaction.bulkTable(table)
        {
          try flush(&waiting)
          let copy = try CopyWriter(transaction, table: bulk, names: columns.names)
          copies = copy
          try copy.add(columns.values)
          continue
        }
        if let conflict { _ = try columns.values(of: conflict) }
        waiting.append((columns.names, columns.values))
        if waiting.count >= Self.batch { try flush(&waiting) }
      }
      try copies?.finish()
      try flush(&waiting)
    } catch {
      copies?.abandon()
      throw error
    }
  }

  private func flush(
    _ waiting: inout [(names: [String], values: [SQLValue])]
  ) throws(PersistenceError) {
    guard !waiting.isEmpty else { return }
    var names: [String] = []
    var text = ""
    var statements: [(text: String, values: [SQLValue])] = []
    statements.reserveCapacity(waiting.count)
    for record in waiting {
      if record.names != names {
        names = record.names
        text = statement(names)
      }
      statements.append((text, record.values))
    }
    waiting = []
    // The columns of the table determine the types.
    try transaction.runLater(statements, infersTypes: true)
  }

  private func statement(_ names: [String]) -> String {
    let list = names.map(SQL.quoted).joined(separator: ", ")
    let values = (1...names.count).map { "$\($0)" }.joined(separator: ", ")
    let insertion = "INSERT INTO \(SQL.quoted(table)) (\(list)) VALUES (\(values))"
    guard let conflict else { return insertion }
    let target = conflict.map(SQL.quoted).joined(separator: ", ")
    let updates = names.filter { !conflict.contains($0) }
      .map { "\(SQL.quoted($0)) = excluded.\(SQL.quoted($0))" }
    let action = updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))"
    let index = condition.map { "(\(target)) WHERE \($0)" } ?? "(\(target))"
    return "\(insertion) ON CONFLICT \(index) DO \(action)"
  }
}
