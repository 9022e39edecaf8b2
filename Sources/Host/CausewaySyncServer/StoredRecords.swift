public import CausewayDatabase
import Foundation

/// The records of a collection at a place, which clients synchronise: the server's side of a
/// `SyncEngine`.
///
/// Each change gets the next version of the collection. A deleted record stays as a row without a
/// body, so the server can report the deletion to clients. The bodies are JSON texts. Use the
/// functions in the transaction of the caller.
///
/// ```swift
/// let records = StoredRecords(scope: "groups/\(group)", collection: "activities")
/// try records.put(StoredRecords.encoded(activity), id: activity.id, in: transaction)
/// ```
public struct StoredRecords: Sendable {
  /// The place, such as a group or an account.
  public let scope: String
  /// The name of the collection.
  public let collection: String

  /// The records of a collection at a place.
  public init(scope: String, collection: String) {
    (self.scope, self.collection) = (scope, collection)
  }

  /// The statements that make the tables `record` and `feed`, for a migration.
  ///
  /// - Parameters:
  ///   - integer: The database's type of 64-bit integers.
  ///   - options: The end of a table's definition, such as ` STRICT`.
  public static func tables(integer: SQL = "BIGINT", options: SQL = "") -> SQL {
    """
    CREATE TABLE record (
      scope TEXT NOT NULL,
      collection TEXT NOT NULL,
      id TEXT NOT NULL,
      version \(integer) NOT NULL,
      body TEXT,
      PRIMARY KEY (scope, collection, id)
    )\(options);
    CREATE UNIQUE INDEX record_version ON record (scope, collection, version);
    CREATE INDEX record_id ON record (collection, id);
    CREATE TABLE feed (
      scope TEXT NOT NULL,
      collection TEXT NOT NULL,
      version \(integer) NOT NULL,
      PRIMARY KEY (scope, collection)
    )\(options)
    """
  }

  /// The statements that count the records of each collection, for a migration after ``tables(integer:options:)``.
  public static func counts(integer: SQL = "BIGINT") -> SQL {
    """
    ALTER TABLE feed ADD COLUMN records \(integer) NOT NULL DEFAULT 0;
    UPDATE feed SET records = (
      SELECT count(*) FROM record WHERE record.scope = feed.scope
      AND record.collection = feed.collection AND record.body IS NOT NULL
    )
    """
  }

  /// The condition that selects the rows of the tables.
  public var filter: SQL { "scope = \(scope) AND collection = \(collection)" }

  /// A record as JSON text; its keys are sorted.
  public static func encoded(_ record: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(record), as: UTF8.self)
  }

  /// The version of the collection; 0 before its first change.
  public func version(in transaction: any ReadTransaction) throws -> Int64 {
    try transaction.row("SELECT version FROM feed WHERE \(filter)", as: Int64.self) ?? 0
  }

  /// The number of the collection's records that are not deleted.
  ///
  /// Complexity: O(1).
  public func count(in transaction: any ReadTransaction) throws -> Int {
    try transaction.row("SELECT records FROM feed WHERE \(filter)", as: Int.self) ?? 0
  }

  /// The versions of the collection, now and after each change.
  ///
  /// The query does not depend on the reader, so all event streams of the collection share it.
  public func versions(in store: any PersistenceService) -> LiveQuery<Int64> {
    store.observe(
      "SELECT coalesce((SELECT version FROM feed WHERE \(filter)), 0)", as: Int64.self)
  }

  /// The body of a record; nil if it does not exist or was deleted.
  public func body(of id: String, in transaction: any ReadTransaction) throws -> String? {
    let query: SQL = """
      SELECT body FROM record WHERE \(filter) AND id = \(id) AND body IS NOT NULL
      """
    return try transaction.row(query, as: String.self)
  }

  /// The records whose bodies can be decoded, with their ids.
  ///
  /// Complexity: O(*n*).
  public func decoded<Record: Decodable>(
    as type: Record.Type, in transaction: any ReadTransaction
  ) throws -> [(id: String, record: Record)] {
    let query: SQL = "SELECT id, version, body FROM record WHERE \(filter) AND body IS NOT NULL"
    return try transaction.rows(query, as: Row.self).compactMap { row in
      let record = try? JSONDecoder().decode(Record.self, from: Data((row.body ?? "").utf8))
      return record.map { (row.id, $0) }
    }
  }

  /// Stores a body, or a deletion, and returns its version.
  ///
  /// - Throws: ``Exhausted``, or an error of the database.
  @discardableResult
  public func put(
    _ body: String?, id: String, in transaction: any WriteTransaction
  ) throws -> Int64 {
    let last = try version(in: transaction)
    // Another program can have stored any number.
    guard last < .max else { throw Exhausted() }
    let version = last + 1
    let new = body == nil ? 0 : 1
    try transaction.execute(
      """
      INSERT INTO feed (scope, collection, version, records)
      VALUES (\(scope), \(collection), \(version), \(new))
      ON CONFLICT (scope, collection) DO UPDATE
      SET version = excluded.version, records = feed.records + excluded.records - (
        SELECT count(*) FROM record WHERE \(filter) AND id = \(id) AND body IS NOT NULL
      )
      """)
    try transaction.execute(
      """
      INSERT INTO record (scope, collection, id, version, body)
      VALUES (\(scope), \(collection), \(id), \(version), \(body))
      ON CONFLICT (scope, collection, id)
      DO UPDATE SET version = excluded.version, body = excluded.body
      """)
    return version
  }

  /// All version numbers of the collection are used.
  public struct Exhausted: Error, CustomStringConvertible {
    /// The problem as a sentence.
    public var description: String { "The collection has no more versions." }
  }

  /// The JSON of a page: the records, or those that have changed since a version.
  ///
  /// A page ends after the limit of records or about a megabyte. To get the next page, ask for the
  /// changes since the version of this page. The stored bodies are copied into the page without
  /// decoding.
  ///
  /// Complexity: O(*n*) in the number of records of the page.
  public func page(
    since version: Int64?, limit: Int = 1_000, in transaction: any ReadTransaction
  ) throws -> [UInt8] {
    let condition: SQL = version.map { "AND version > \($0)" } ?? "AND body IS NOT NULL"
    let rows = try transaction.rows(
      """
      SELECT id, version, body FROM record WHERE \(filter) \(condition)
      ORDER BY version LIMIT \(limit + 1)
      """, as: Row.self)
    var bytes = 0
    let page = rows.prefix(limit).prefix { row in
      defer { bytes += row.body?.utf8.count ?? 0 }
      return bytes < Self.pageBytes
    }
    let hasMore = page.count < rows.count
    let last = hasMore ? page.last?.version ?? 0 : try self.version(in: transaction)
    let deleted = try Self.encoded(page.filter { $0.body == nil }.map(\.id))
    var text = #"{"hasMore":\#(hasMore),"version":\#(last),"deleted":\#(deleted),"records":["#
    text += page.compactMap(\.body).joined(separator: ",")
    text += "]}"
    return Array(text.utf8)
  }

  /// The number of bytes after which a page ends.
  private static let pageBytes = 1 << 20

  private struct Row: Decodable {
    var id: String
    var version: Int64
    var body: String?
  }
}
