import CausewayData
import CausewayPostgres
import Synchronization
import Testing

@Suite(.enabled(if: TestServer.isInstalled, TestServer.skipReason), .timeLimit(.minutes(5)))
struct `An upsert over a partial unique index of the server` {
  private struct Item: Codable, Equatable, Sendable {
    var name: String
    var gone: Bool
    var count: Int
  }

  private let items = [
    Item(name: "a", gone: false, count: 1), Item(name: "a", gone: false, count: 2),
    Item(name: "a", gone: true, count: 3), Item(name: "a", gone: true, count: 4),
  ]

  /// - Parameter isolation: With `readCommitted`, the transactions of other tests cause no
  ///   rollbacks. So a closure runs only as often as the upsert needs.
  private func open(
    _ indexes: [SQL], isolation: PostgresService.Configuration.Isolation = .serializable
  ) async throws -> PostgresService {
    let table: SQL = """
      CREATE TABLE item (name TEXT NOT NULL, gone BOOLEAN NOT NULL, count BIGINT NOT NULL)
      """
    var configuration = PostgresService.Configuration()
    configuration.connections = 1
    configuration.isolation = isolation
    let service = try await PostgresService(
      url: TestServer.shared.value.makeSchema(), migrations: [Migration("item", table)],
      configuration: configuration)
    for index in indexes { try await service.write { try $0.execute(index) } }
    return service
  }

  private func upsert(_ indexes: [SQL], _ items: [Item]) async throws -> [Item] {
    let service = try await open(indexes)
    try await service.write { transaction in
      for item in items { try transaction.upsert(item, into: "item", key: ["name"]) }
    }
    let found = try await service.rows("SELECT * FROM item ORDER BY count", as: Item.self)
    try await service.close()
    return found
  }

  @Test(
    arguments: [
      "CREATE UNIQUE INDEX live ON item (name) WHERE NOT gone",
      "create unique index \"where (\" on item(name)where/* WHERE */gone=false -- the end",
      "CREATE UNIQUE INDEX live ON item (name) INCLUDE (count) WHERE NOT gone AND ')' <> '('",
    ] as [SQL])
  func `has its condition`(index: SQL) async throws {
    #expect(try await upsert([index], items) == [items[1], items[2], items[3]])
  }

  @Test func `has the conditions of several indexes`() async throws {
    let indexes: [SQL] = [
      "CREATE UNIQUE INDEX live ON item (name) WHERE NOT gone",
      "CREATE UNIQUE INDEX dead ON item (name) WHERE gone",
    ]
    #expect(try await upsert(indexes, items) == [items[1], items[3]])
  }

  @Test(
    arguments: [
      [], ["CREATE UNIQUE INDEX other ON item (name, gone) WHERE NOT gone"],
      ["CREATE INDEX plain ON item (name) WHERE NOT gone"],
      ["CREATE UNIQUE INDEX expression ON item (lower(name)) WHERE NOT gone"],
    ] as [[SQL]])
  func `is refused without such an index`(indexes: [SQL]) async throws {
    let error = await #expect(throws: PersistenceError.self) { try await upsert(indexes, items) }
    #expect(error?.kind == .statement)
  }

  @Test func `asks for the condition once, and follows a changed index`() async throws {
    let service = try await open(
      ["CREATE UNIQUE INDEX live ON item (name) WHERE NOT gone"], isolation: .readCommitted)
    let runs = Mutex(0)
    @Sendable func upsert(_ item: Item) async throws {
      try await service.write { transaction in
        runs.withLock { $0 += 1 }
        try transaction.upsert(item, into: "item", key: ["name"])
      }
    }
    for item in items.prefix(2) { try await upsert(item) }
    #expect(runs.withLock { $0 } == 3)
    try await service.write { try $0.execute("DROP INDEX live") }
    await #expect(throws: PersistenceError.self) { try await upsert(items[1]) }
    try await service.write {
      try $0.execute("CREATE UNIQUE INDEX live ON item (name) WHERE gone IS FALSE")
    }
    try await upsert(items[1])
    try await service.write { try $0.execute("CREATE UNIQUE INDEX whole ON item (name)") }
    try await upsert(items[2])
    let found = try await service.rows("SELECT * FROM item", as: Item.self)
    #expect(found == [items[2]])
    try await service.close()
  }
}
