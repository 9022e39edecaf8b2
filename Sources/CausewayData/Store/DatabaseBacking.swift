import Foundation

/// Keeps a store's values as JSON in a table of a persistence service.
///
/// ```swift
/// let service = try await SQLiteService(
///   path: "harbor.sqlite", migrations: [DatabaseBacking<Int, Draft>.migration(table: "draft")])
/// let drafts = ObservableStore(backing: DatabaseBacking<Int, Draft>(service, table: "draft"))
/// ```
public struct DatabaseBacking<Key: Hashable & Sendable, Value: Codable & Sendable>: StoreBacking {
  private struct Row: Codable, Sendable {
    let key: String
    let value: String
  }

  private let service: any PersistenceService
  private let table: String
  private let text: @Sendable (Key) -> String
  private let key: @Sendable (String) -> Key?

  /// Keeps values in a table, with keys in a form of your own.
  ///
  /// - Parameters:
  ///   - service: The database.
  ///   - table: The table that ``migration(table:)`` has made.
  ///   - text: A key as text. Different keys need different texts.
  ///   - key: The key of a text; `nil` for one that is not a key's.
  public init(
    _ service: any PersistenceService, table: String, text: @escaping @Sendable (Key) -> String,
    key: @escaping @Sendable (String) -> Key?
  ) {
    self.service = service
    self.table = table
    self.text = text
    self.key = key
  }

  /// Keeps values in a table.
  ///
  /// - Parameters:
  ///   - service: The database.
  ///   - table: The table that ``migration(table:)`` has made.
  public init(_ service: any PersistenceService, table: String)
  where Key: LosslessStringConvertible {
    self.init(service, table: table, text: { $0.description }, key: { Key($0) })
  }

  /// Makes the table; belongs into the list of the service's migrations.
  public static func migration(table: String) -> Migration {
    Migration(
      "create the store's table \(table)",
      "CREATE TABLE \(identifier: table) (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)")
  }

  /// All values.
  ///
  /// - Throws: `PersistenceError`; of kind `decoding` if a row has no key or no value in it.
  @concurrent
  public func load() async throws -> [Key: Value] {
    let rows = try await service.read { [table] transaction in
      try transaction.rows("SELECT key, value FROM \(identifier: table)", as: Row.self)
    }
    let decoder = JSONDecoder()
    var values: [Key: Value] = [:]
    for row in rows {
      guard let key = key(row.key),
        let value = try? decoder.decode(Value.self, from: Data(row.value.utf8))
      else {
        throw PersistenceError(
          .decoding, message: "A row of the table \(table) does not fit the store's types")
      }
      values[key] = value
    }
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
