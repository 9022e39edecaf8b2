import CausewayData
import CausewaySQLite
import Testing

@Suite(.timeLimit(.minutes(10))) struct RefusedStatementTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Decodes a row with any columns.
  private struct Row: Decodable, Sendable {
    init(from decoder: any Decoder) {}
  }

  private struct Mooring: Codable, Sendable {
    enum Kind: String, Codable { case buoy, quay }
    var name: String
    var kind: Kind
  }

  @Test(
    arguments: Store.allCases,
    [
      "INSERT INTO boat VALUES (1, 'Ada') RETURNING id", "DELETE FROM boat RETURNING id",
      "ATTACH ':memory:' AS other", "DETACH main", "PRAGMA foreign_keys = OFF",
      "PRAGMA query_only = 1", "PRAGMA user_version = 7", "PRAGMA wal_checkpoint",
      "PRAGMA optimize", "PRAGMA journal_mode(DELETE)", "VACUUM", "REINDEX", "ANALYZE",
      "CREATE TEMP TABLE other (id)", "CREATE TABLE other (id)", "DROP TABLE boat", "COMMIT",
      "SAVEPOINT mine",
    ] as [SQL])
  func `A read rejects every statement that does more than read`(
    _ store: Store, _ statement: SQL
  ) async throws {
    let service = try await store.open(directory, boats)
    let kind = await failure { try await service.read { try $0.rows(statement, as: String?.self) } }
    #expect(kind == .readOnly || kind == .statement, "\(String(describing: kind))")
    let (foreignKeys, version) = try await service.write { transaction in
      (
        try transaction.row("PRAGMA foreign_keys", as: Int.self),
        try transaction.row("PRAGMA user_version", as: Int.self)
      )
    }
    #expect(foreignKeys == 1)
    #expect(version == 0)
    #expect(try await service.boatNames() == [])
    try await service.add(1, "Ada")
    try await service.close()
  }

  @Test(
    arguments: Store.allCases,
    [
      "PRAGMA table_info(boat)", "PRAGMA integrity_check", "PRAGMA integrity_check(5)",
      "PRAGMA page_count", "EXPLAIN QUERY PLAN SELECT * FROM boat", "PRAGMA foreign_key_check",
    ] as [SQL])
  func `A read runs statements that only report`(_ store: Store, _ statement: SQL) async throws {
    let service = try await store.open(directory, boats)
    _ = try await service.read { try $0.rows(statement, as: Row.self) }
    try await service.close()
  }

  @Test(arguments: Store.allCases)
  func `Too many bound values throw an error that names the limit`(_ store: Store) async throws {
    let service = try await store.open(directory, boats)
    let ids = Array(0..<300_000)
    for isRead in [true, false] {
      let error = await #expect(throws: PersistenceError.self) {
        if isRead {
          _ = try await service.read {
            try $0.rows("SELECT id FROM boat WHERE id IN \(list: ids)", as: Int.self)
          }
        } else {
          try await service.write { try $0.execute("DELETE FROM boat WHERE id IN \(list: ids)") }
        }
      }
      #expect(error?.kind == .statement)
      #expect(error?.message.contains("300000 values are bound") == true)
      #expect(error?.code == 0)
    }
    try await service.close()
  }

  @Test func `A NUL is an error in a statement and is kept in a bound text`() async throws {
    let service = try InMemoryPersistenceService(migrations: boats)
    for text in ["INSERT INTO boat VALUES (1, 'a\0b')", "DELETE FROM boat;\0 DROP TABLE boat"] {
      let kind = await failure {
        try await service.write { try $0.execute(SQL(unchecked: text)) }
      }
      #expect(kind == .statement)
    }
    try await service.add(1, "a\0b")
    #expect(try await service.boatNames() == ["a\0b"])
    let bytes = try await service.read {
      try $0.row("SELECT hex(name) FROM boat WHERE name = \("a\0b")", as: String.self)
    }
    #expect(bytes == "610062")
  }

  @Test(arguments: [
    ("SELECT CAST(x'66FF' AS TEXT) AS name, 'buoy' AS kind" as SQL, "name"),
    ("SELECT 'North' AS name, 's3cret' AS kind", "kind"),
    ("SELECT 'North' AS name, CAST(x'ff' AS TEXT) AS kind", "kind"),
  ])
  func `The error of a value that does not decode names the column and not the value`(
    _ query: SQL, _ column: String
  ) async throws {
    let service = try InMemoryPersistenceService(migrations: [])
    let error = await #expect(throws: PersistenceError.self) {
      _ = try await service.read { try $0.rows(query, as: Mooring.self) }
    }
    #expect(error?.kind == .decoding)
    #expect(error?.message.contains("Column \"\(column)\"") == true)
    #expect(error?.message.contains("s3cret") == false)
  }

  @Test func `A number too large for Float throws an error`() async throws {
    let service = try InMemoryPersistenceService(migrations: [])
    #expect(
      await failure { try await service.read { try $0.row("SELECT 1e300", as: Float.self) } }
        == .decoding)
    #expect(try await service.read { try $0.row("SELECT 1e999", as: Float.self) } == .infinity)
  }

  @Test(arguments: Store.allCases)
  func `A live query observes writes for every spelling of its table`(_ store: Store) async throws {
    let service = try await store.open(directory, boats)
    var counts = service.observe("SELECT count(*) FROM BOAT", as: Int.self).makeAsyncIterator()
    var names = service.observe("SELECT NAME FROM Boat", as: String.self).makeAsyncIterator()
    #expect(try await counts.next() == [0])
    #expect(try await names.next() == [])
    try await service.write { try $0.execute("INSERT INTO bOAT VALUES (1, 'Ada')") }
    #expect(try await counts.next() == [1])
    #expect(try await names.next() == ["Ada"])
    try await service.close()
  }

  @Test func `Deleted content is overwritten in the file`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    let setting = try await service.write { try $0.row("PRAGMA secure_delete", as: Int.self) }
    #expect(setting == 1)
    try await service.close()
  }
}
