import Foundation

/// Keeps a store's values as JSON in a table of a persistence service.
///
/// ```swift
/// let service = try await SQLiteService(
///   path: "harbor.sqlite", migrations: [DatabaseBacking<Int, Draft>.migration(table: "draft")])
/// let drafts = ObservableStore(backing: DatabaseBacking<Int, Draft>(service, table: "draft"))
/// ```
///
/// A row that does not fit the types is moved to a table of the same name with `_damaged` at its
/// end, with its bytes as they were, and reported; the store begins with the other rows. That table
/// is made when it is needed, and has the last damaged row of each key.
public struct DatabaseBacking<Key: Hashable & Sendable, Value: Codable & Sendable>: StoreBacking {
  private struct Row: Codable, Sendable {
    let key: String
    let value: String
  }

  let service: any PersistenceService
  let table: String
  private let text: @Sendable (Key) -> String
  let key: @Sendable (String) -> Key?
  let report: @Sendable (PersistenceError) -> Void

  /// Keeps values in a table, with keys in a form of your own.
  ///
  /// - Parameters:
  ///   - service: The database.
  ///   - table: The table that ``migration(table:)`` has made.
  ///   - text: A key as text. Different keys need different texts, as Swift compares them.
  ///   - key: The key of a text; `nil` for one that is not a key's.
  ///   - report: Called for damaged rows, off any actor.
  public init(
    _ service: any PersistenceService, table: String, text: @escaping @Sendable (Key) -> String,
    key: @escaping @Sendable (String) -> Key?,
    report: @escaping @Sendable (PersistenceError) -> Void = { _ in }
  ) {
    self.service = service
    self.table = table
    // Equal strings of Swift need not have the same bytes, which the table goes by.
    self.text = { text($0).precomposedStringWithCanonicalMapping }
    self.key = key
    self.report = report
  }

  /// Keeps values in a table.
  ///
  /// - Parameters:
  ///   - service: The database.
  ///   - table: The table that ``migration(table:)`` has made.
  ///   - report: Called for damaged rows, off any actor.
  public init(
    _ service: any PersistenceService, table: String,
    report: @escaping @Sendable (PersistenceError) -> Void = { _ in }
  ) where Key: LosslessStringConvertible {
    self.init(
      service, table: table, text: { $0.description }, key: { Key($0) }, report: report)
  }

  /// Makes the table; add it to the service's migrations.
  public static func migration(table: String) -> Migration {
    Migration(
      "create the store's table \(table)",
      "CREATE TABLE \(identifier: table) (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)")
  }

  /// All values that can be read; damaged rows are set aside and reported.
  ///
  /// If they cannot be set aside, they stay where they are, and that is reported.
  ///
  /// - Throws: `PersistenceError` if the table cannot be read.
  @concurrent
  public func load() async throws -> [Key: Value] {
    let (values, damaged) = decode(try await service.read { try rows(in: $0) })
    if !damaged.isEmpty { await setAside(damaged) }
    return values
  }

  /// Stores all of the changes in one transaction.
  ///
  /// - Throws: What the service throws, or an `EncodingError`; nothing is stored then.
  @concurrent
  public func save(_ changes: StoreChanges<Key, Value>) async throws {
    let encoder = JSONEncoder()
    let rows = try changes.updated.map { key, value in
      Row(key: text(key), value: String(decoding: try encoder.encode(value), as: UTF8.self))
    }
    let removed = changes.removed.map(text)
    try await service.write { [table] transaction in
      try transaction.upsert(rows, into: table, key: ["key"])
      for key in removed {
        try transaction.execute("DELETE FROM \(identifier: table) WHERE key = \(key)")
      }
    }
  }
}
