import CausewayData
import Synchronization

/// A database with a planted bug in the transactions that store a read from the server.
struct SplitPersistence: PersistenceService {
  enum Bug {
    /// The cursor is committed in a transaction of its own, before the rows.
    case cursorBeforeRows
    /// The stored rows do not show the mutations that wait in the outbox.
    case dropsOverlay
  }

  private struct RolledBack: Error {}

  let base: any PersistenceService
  let bug: Bug

  func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    try await base.read(body)
  }

  @discardableResult
  func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    let cursors = Statements()
    do {
      return try await base.write { transaction in
        let result = try body(EditedTransaction(transaction, cursors: cursors))
        if !cursors.all.isEmpty { throw RolledBack() }
        return result
      }
    } catch is RolledBack {}
    // The transaction stores a read, so it runs again with the bug.
    if bug == .cursorBeforeRows {
      let statements = cursors.all
      try await base.write { transaction in
        for statement in statements { try transaction.execute(statement) }
      }
      return try await base.write(body)
    }
    return try await base.write { try body(EditedTransaction($0, hidesOutbox: true)) }
  }

  func observe<T: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: T.Type
  ) -> LiveQuery<T> {
    base.observe(query, as: type)
  }

  func close() async throws(PersistenceError) { try await base.close() }
}

private final class Statements: Sendable {
  private let contents = Mutex<[SQL]>([])
  var all: [SQL] { contents.withLock { $0 } }
  func append(_ statement: SQL) { contents.withLock { $0.append(statement) } }
}

/// A transaction that records the statements for cursors, or hides the entries of the outbox.
private struct EditedTransaction: WriteTransaction {
  private let base: any WriteTransaction
  private let cursors: Statements?
  private let hidesOutbox: Bool

  init(_ base: any WriteTransaction, cursors: Statements? = nil, hidesOutbox: Bool = false) {
    self.base = base
    self.cursors = cursors
    self.hidesOutbox = hidesOutbox
  }

  func rows<T: Decodable>(_ query: SQL, as type: T.Type) throws(PersistenceError) -> [T] {
    let isOverlay = query.text.contains("payload FROM sync_outbox")
    return hidesOutbox && isOverlay ? [] : try base.rows(query, as: type)
  }

  func row<T: Decodable>(_ query: SQL, as type: T.Type) throws(PersistenceError) -> T? {
    try base.row(query, as: type)
  }

  func executeAndCount(_ statement: SQL) throws(PersistenceError) -> Int {
    if statement.text.contains("INTO sync_cursor") { cursors?.append(statement) }
    return try base.executeAndCount(statement)
  }

  func insert<Records: Sequence>(
    _ records: Records, into table: String
  ) throws(PersistenceError) where Records.Element: Encodable {
    try base.insert(records, into: table)
  }

  func upsert<Records: Sequence>(
    _ records: Records, into table: String, key: [String]
  ) throws(PersistenceError) where Records.Element: Encodable {
    try base.upsert(records, into: table, key: key)
  }

  func delete<Record: Encodable>(
    _ record: Record, from table: String, key: [String]
  ) throws(PersistenceError) -> Bool {
    try base.delete(record, from: table, key: key)
  }
}
