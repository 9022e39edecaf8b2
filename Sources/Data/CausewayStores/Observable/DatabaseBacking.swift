public import CausewayDatabase
import Foundation

/// Stores values as JSON in a table of a persistence service.
///
/// ```swift
/// let service = try await SQLiteService(
///   path: "harbor.sqlite", migrations: [DatabaseBacking<Int, Draft>.migration(table: "draft")])
/// let drafts = ObservableStore(backing: DatabaseBacking<Int, Draft>(service, table: "draft"))
/// ```
///
/// If a row cannot be decoded, the backing moves its unchanged bytes to a second table, and reports
/// the row. The second table has the same name with the suffix `_damaged`. It is created when it is
/// needed, and contains the last damaged row of each key. The store begins with the other rows.
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

  /// Makes a backing with custom functions that convert keys.
  ///
  /// - Parameters:
  ///   - service: The database.
  ///   - table: The table that ``migration(table:)`` has created.
  ///   - text: Returns a key as text. Different keys need different texts, by Swift's `==`.
  ///   - key: Returns the key of a text; `nil` if the text is not a key.
  ///   - report: Called for damaged rows, off any actor.
  public init(
    _ service: any PersistenceService, table: String, text: @escaping @Sendable (Key) -> String,
    key: @escaping @Sendable (String) -> Key?,
    report: @escaping @Sendable (PersistenceError) -> Void = { _ in }
  ) {
    self.service = service
    self.table = table
    // Strings that are equal in Swift can have different bytes, and the table compares bytes.
    self.text = { text($0).precomposedStringWithCanonicalMapping }
    self.key = key
    self.report = report
  }

  /// Makes a backing for keys that convert to text and back.
  ///
  /// - Parameters:
  ///   - service: The database.
  ///   - table: The table that ``migration(table:)`` has created.
  ///   - report: Called for damaged rows, off any actor.
  public init(
    _ service: any PersistenceService, table: String,
    report: @escaping @Sendable (PersistenceError) -> Void = { _ in }
  ) where Key: LosslessStringConvertible {
    self.init(
      service, table: table, text: { $0.description }, key: { Key($0) }, report: report)
  }

  /// The migration that creates the table; add it to the service's migrations.
  public static func migration(table: String) -> Migration {
    Migration(
      "create the store's table \(table)",
      "CREATE TABLE \(identifier: table) (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)")
  }

  /// Returns all values that can be decoded; damaged rows are set aside and reported.
  ///
  /// If damaged rows cannot be set aside, they stay in the table, and the failure is reported.
  ///
  /// - Throws: `PersistenceError` if the table cannot be read.
  @concurrent
  public func load() async throws -> [Key: Value] {
    let (values, damaged) = decode(try await service.read { try rows(in: $0) })
    if !damaged.isEmpty { await setAside(damaged) }
    return values
  }

  /// Stores all changes in one transaction.
  ///
  /// - Throws: The service's error, or an `EncodingError`. In both cases nothing is stored.
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
