import CausewayData
import Foundation
import HarborDomain

/// The stored records of a collection at a place.
///
/// Each change gets the next version of the collection. A deleted record stays as a row without a
/// body, so the server can report the deletion to devices.
struct Records {
  var place: Place
  var collection: String

  var filter: SQL { "scope = \(place.scope) AND collection = \(collection)" }

  /// The record as JSON text; its keys are sorted.
  static func encoded(_ record: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(record), as: UTF8.self)
  }

  /// The version of the collection; 0 before its first change.
  func version(in transaction: any ReadTransaction) throws -> SyncVersion {
    SyncVersion(
      try transaction.row("SELECT version FROM feed WHERE \(filter)", as: Int64.self) ?? 0)
  }

  /// The number of the collection's records that are not deleted.
  ///
  /// Complexity: O(1).
  func count(in transaction: any ReadTransaction) throws -> Int {
    try transaction.row("SELECT records FROM feed WHERE \(filter)", as: Int.self) ?? 0
  }

  /// The step that counts the records of each collection.
  static func countMigration(integer: SQL) -> Migration {
    Migration(
      "count the records of collections",
      "ALTER TABLE feed ADD COLUMN records \(integer) NOT NULL DEFAULT 0",
      """
      UPDATE feed SET records = (
        SELECT count(*) FROM record WHERE record.scope = feed.scope
        AND record.collection = feed.collection AND record.body IS NOT NULL
      )
      """,
      "CREATE INDEX feedback_account ON feedback (account)",
      "CREATE INDEX invitation_group ON invitation (group_id)",
      "CREATE INDEX member_account ON member (account)")
  }

  /// The versions of the collection, now and after each change.
  ///
  /// The query does not depend on the reader, so all event streams of the collection share it.
  func versions(in store: any PersistenceService) -> LiveQuery<Int64> {
    store.observe(
      "SELECT coalesce((SELECT version FROM feed WHERE \(filter)), 0)", as: Int64.self)
  }

  /// The body of a record; `nil` if it does not exist or was deleted.
  func body(of id: String, in transaction: any ReadTransaction) throws -> String? {
    let query: SQL = """
      SELECT body FROM record WHERE \(filter) AND id = \(id) AND body IS NOT NULL
      """
    return try transaction.row(query, as: String.self)
  }

  /// The records that can be read, with their ids.
  ///
  /// Complexity: O(*n*).
  func decoded<Record: Decodable>(
    as type: Record.Type, in transaction: any ReadTransaction
  ) throws -> [(id: String, record: Record)] {
    let query: SQL = "SELECT id, version, body FROM record WHERE \(filter) AND body IS NOT NULL"
    return try transaction.rows(query, as: Row.self).compactMap { row in
      let record = try? JSONDecoder().decode(Record.self, from: Data((row.body ?? "").utf8))
      return record.map { (row.id, $0) }
    }
  }

  /// Stores a body, or a deletion, and returns its version.
  @discardableResult
  func put(
    _ body: String?, id: String, in transaction: any WriteTransaction
  ) throws -> SyncVersion {
    let last = try version(in: transaction).rawValue
    // Another program can have stored any number.
    guard last < .max else { throw Refusal("The collection has no more versions.") }
    let version = last + 1
    let new = body == nil ? 0 : 1
    try transaction.execute(
      """
      INSERT INTO feed (scope, collection, version, records)
      VALUES (\(place.scope), \(collection), \(version), \(new))
      ON CONFLICT (scope, collection) DO UPDATE
      SET version = excluded.version, records = feed.records + excluded.records - (
        SELECT count(*) FROM record WHERE \(filter) AND id = \(id) AND body IS NOT NULL
      )
      """)
    try transaction.execute(
      """
      INSERT INTO record (scope, collection, id, version, body)
      VALUES (\(place.scope), \(collection), \(id), \(version), \(body))
      ON CONFLICT (scope, collection, id)
      DO UPDATE SET version = excluded.version, body = excluded.body
      """)
    return SyncVersion(version)
  }

  /// The JSON of a page: the records, or those that have changed since a version.
  ///
  /// A page ends after the limit of records or about a megabyte. The following pages are the changes
  /// since its version. The stored bodies are copied into the page without decoding.
  ///
  /// Complexity: O(*n*) in the number of records of the page.
  func page(
    since version: SyncVersion?, limit: Int = 1_000, in transaction: any ReadTransaction
  ) throws -> [UInt8] {
    let condition: SQL =
      version.map { "AND version > \($0.rawValue)" } ?? "AND body IS NOT NULL"
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
    let last =
      hasMore ? page.last?.version ?? 0 : try self.version(in: transaction).rawValue
    let deleted = try Self.encoded(page.filter { $0.body == nil }.map(\.id))
    var text = #"{"hasMore":\#(hasMore),"version":\#(last),"deleted":\#(deleted),"records":["#
    text += page.compactMap(\.body).joined(separator: ",")
    text += "]}"
    return Array(text.utf8)
  }

  /// The bytes of records after which a page ends.
  private static let pageBytes = 1 << 20

  private struct Row: Decodable {
    var id: String
    var version: Int64
    var body: String?
  }
}
