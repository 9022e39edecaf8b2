import CausewayData
import Testing

@testable import CausewaySQLite

@Suite struct SimpleQueryTests {
  private static let migrations = [
    Migration(
      "create",
      """
      CREATE TABLE boat (id INTEGER PRIMARY KEY, name TEXT, size REAL, flag TEXT COLLATE NOCASE,
        "limit" INTEGER, "over" INTEGER);
      CREATE TABLE text_key (id TEXT PRIMARY KEY, rowid INTEGER);
      CREATE TABLE descending (id INTEGER PRIMARY KEY DESC, name TEXT);
      CREATE TABLE ordered (id INTEGER PRIMARY KEY, name TEXT) WITHOUT ROWID;
      CREATE TABLE replacing (id INTEGER PRIMARY KEY, name TEXT UNIQUE ON CONFLICT REPLACE);
      CREATE TABLE hidden (rowid TEXT, _rowid_ TEXT, oid TEXT);
      CREATE VIEW fleet AS SELECT id, name FROM boat;
      CREATE VIRTUAL TABLE search USING fts5 (name);
      """)
  ]

  private func followed(_ query: SQL) async throws -> FollowedQuery? {
    let service = try InMemoryPersistenceService(migrations: Self.migrations)
    return try await service.read { transaction in
      guard let simple = SimpleQuery(query.text) else { return nil }
      let connection = try #require(transaction as? SQLiteReadTransaction).connection
      return try connection.followed(simple)
    }
  }

  private static let simple: [SQL] = [
    "SELECT * FROM boat", "select id, name as title from BOAT where size>=? order by name desc, id",
    "SELECT * FROM boat WHERE (size BETWEEN 1 AND ? OR name IS NULL) AND NOT id IN (?, ?, 3)",
    "SELECT * FROM boat WHERE name LIKE 'it''s%' ESCAPE '!' AND \"limit\" <> -1.5e3",
    "SELECT * FROM boat WHERE flag = 'a' ORDER BY size DESC", "SELECT id FROM boat ORDER BY rowid",
    "SELECT * FROM text_key WHERE rowid = 1 ORDER BY id", "SELECT * FROM descending ORDER BY id",
  ]

  @Test(arguments: simple)
  func `A query of one table by columns and simple conditions is followed`(
    _ query: SQL
  ) async throws {
    #expect(try await followed(query) != nil)
  }

  private static let others: [SQL] = [
    // More than one row of the table determines a row of the result.
    "SELECT DISTINCT name FROM boat", "SELECT count(*) FROM boat", "SELECT max(size) FROM boat",
    "SELECT * FROM boat LIMIT 3", "SELECT * FROM boat WHERE id = 1 LIMIT 3",
    "SELECT * FROM boat GROUP BY name", "SELECT * FROM boat WHERE size > 1 GROUP BY name",
    "SELECT * FROM boat, text_key", "SELECT * FROM boat JOIN text_key ON 1",
    "SELECT * FROM boat UNION SELECT * FROM boat", "VALUES (1)", "SELECT 1",
    "SELECT * FROM boat WHERE id IN (SELECT id FROM text_key)",
    "SELECT * FROM boat WHERE id IN text_key", "SELECT * FROM boat WHERE EXISTS (SELECT 1)",
    "WITH boat AS (SELECT 1 AS id) SELECT * FROM boat",
    // The condition depends on more than the row.
    "SELECT * FROM boat WHERE size > random()", "SELECT * FROM boat WHERE name < CURRENT_DATE",
    "SELECT * FROM boat WHERE \"over\"(1)",
    // The rows are not ordered by columns, or not by bytes and numbers.
    "SELECT * FROM boat ORDER BY flag", "SELECT * FROM boat ORDER BY name COLLATE NOCASE",
    "SELECT * FROM boat ORDER BY 2", "SELECT * FROM boat ORDER BY -size",
    "SELECT * FROM boat ORDER BY size NULLS LAST",
    // A name could mean a column or a result.
    "SELECT size AS name FROM boat ORDER BY name", "SELECT name AS rowid FROM boat ORDER BY rowid",
    // The text hides something.
    "SELECT * FROM boat -- WHERE", "SELECT * FROM boat /* */", "SELECT * FROM boat;",
    "SELECT * FROM boat WHERE id = 1) OR (id = 2", "SELECT * FROM boat WHERE id = ?2",
    "SELECT * FROM boat WHERE name -> 1", "SELECT * FROM boat WHERE café = 1",
    "SELECT * FROM main.boat", "SELECT boat.id FROM boat", "SELECT * FROM boat b",
    // The update hook does not report all rows, or there are no row ids.
    "SELECT * FROM ordered", "SELECT * FROM replacing", "SELECT * FROM hidden",
    "SELECT * FROM fleet", "SELECT * FROM search", "SELECT * FROM sqlite_schema",
    "SELECT * FROM search_content", "SELECT * FROM nothing", "SELECT nothing FROM boat",
  ]

  @Test(arguments: others)
  func `No other query is followed`(_ query: SQL) async throws {
    #expect(try await followed(query) == nil)
  }

  @Test func `A row id orders rows without keys of their own`() async throws {
    let byID = try #require(try await followed("SELECT * FROM boat ORDER BY id DESC, name"))
    #expect(byID.order == RowOrder(keysDescending: [], idsDescending: true))
    // The column `id` of this table is no row id.
    let byColumn = try #require(try await followed("SELECT * FROM descending ORDER BY id"))
    #expect(byColumn.order == RowOrder(keysDescending: [false], idsDescending: false))
  }
}
