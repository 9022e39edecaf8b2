import CausewayData
import CausewaySQLite
import Testing

@Suite struct MigrationTests {
  static let first = Migration("first", "CREATE TABLE boat (id INTEGER PRIMARY KEY, name TEXT)")
  static let second = Migration("second", version: 1) {
    try $0.insert(Boat(id: 1, name: "Ada"), into: "boat")
  }
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func open(_ migrations: [Migration]) async throws -> SQLiteService {
    try await SQLiteService(path: directory.file, migrations: migrations)
  }

  @Test func `Migrations run once and in order, also later ones on an existing file`() async throws
  {
    try await open([Self.first]).close()
    try await open([Self.first, Self.second]).close()
    let service = try await open([Self.first, Self.second])
    #expect(try await service.boatNames() == ["Ada"])
  }

  @Test(arguments: [
    (
      [Migration("first", "CREATE TABLE boat (id INTEGER, name TEXT)"), second],
      "\"first\" was changed"
    ),
    ([first, Migration("second", version: 2) { _ in }], "\"second\" was changed"),
    ([second, first], "not at its place"),
    ([first], "\"second\", which this program does not know"),
    ([], "\"first\", which this program does not know"),
    ([first, Migration("new", "SELECT 1"), second], "\"second\" is not at its place"),
    ([first, second, first], "Two migrations are called \"first\""),
  ])
  func `A past migration cannot be changed, moved or removed`(
    _ migrations: [Migration], _ message: String
  ) async throws {
    try await open([Self.first, Self.second]).close()
    let error = await #expect(throws: PersistenceError.self) { _ = try await open(migrations) }
    #expect(error?.kind == .migration)
    #expect(error?.message.contains(message) == true)
    #expect(try await open([Self.first, Self.second]).boatNames() == ["Ada"])
  }

  @Test func `A failing migration keeps the earlier migrations and none of its own changes`()
    async throws
  {
    let broken = Migration(
      "broken", "INSERT INTO boat VALUES (2, 'Bea')", "INSERT INTO nowhere VALUES (1)")
    let error = await #expect(throws: PersistenceError.self) {
      _ = try await open([Self.first, Self.second, broken])
    }
    #expect(error?.message.contains("Migration \"broken\" failed") == true)
    #expect(try await open([Self.first, Self.second]).boatNames() == ["Ada"])
  }

  @Test func `A table with references to it can be rebuilt`() async throws {
    let referring = Migration(
      "crew", "CREATE TABLE crew (boat INTEGER REFERENCES boat)", "INSERT INTO crew VALUES (1)")
    let rebuild = Migration(
      "rebuild", "CREATE TABLE new (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
      "INSERT INTO new SELECT * FROM boat", "DROP TABLE boat", "ALTER TABLE new RENAME TO boat")
    let service = try await open([Self.first, Self.second, referring, rebuild])
    #expect(try await service.boatNames() == ["Ada"])
    let kind = await failure { try await service.write { try $0.execute("DELETE FROM boat") } }
    #expect(kind == .constraint(.foreignKey))
  }

  @Test func `A migration that leaves dangling references is rolled back`() async throws {
    let dangling = Migration(
      "dangling", "CREATE TABLE crew (boat INTEGER REFERENCES boat)",
      "INSERT INTO crew VALUES (99)")
    let kind = await failure { _ = try await open([Self.first, dangling]) }
    #expect(kind == .constraint(.foreignKey))
    try await open([Self.first]).close()
  }

  @Test func `Services that open one new file concurrently migrate it once`() async throws {
    let file = directory.file
    var configuration = SQLiteConfiguration()
    // On a slow machine, the last service waits for longer than the default timeout.
    configuration.busyTimeout = .seconds(120)
    let names = try await withThrowingTaskGroup(of: [String].self) { [configuration] group in
      for _ in 0..<8 {
        group.addTask {
          try await SQLiteService(
            path: file, migrations: [Self.first, Self.second], configuration: configuration
          ).boatNames()
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(names == Array(repeating: ["Ada"], count: 8))
  }
}
