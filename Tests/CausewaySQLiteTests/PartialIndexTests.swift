import CausewayData
import CausewaySQLite
import Testing

@Suite struct `An upsert over a partial unique index` {
  private struct Item: Codable, Equatable, Sendable {
    var name: String
    var gone: Bool
    var count: Int
  }

  private static let table =
    "CREATE TABLE item (name TEXT NOT NULL, gone INTEGER NOT NULL, count INTEGER NOT NULL)" as SQL

  private func upsert(_ indexes: [SQL], _ items: [Item]) async throws -> [Item] {
    let service = try InMemoryPersistenceService(migrations: [Migration("item", Self.table)])
    return try await service.write { transaction in
      for index in indexes { try transaction.execute(index) }
      for item in items { try transaction.upsert(item, into: "item", key: ["name"]) }
      return try transaction.rows("SELECT * FROM item ORDER BY rowid", as: Item.self)
    }
  }

  private let items = [
    Item(name: "a", gone: false, count: 1), Item(name: "a", gone: false, count: 2),
    Item(name: "a", gone: true, count: 3), Item(name: "a", gone: true, count: 4),
  ]

  @Test(
    arguments: [
      "CREATE UNIQUE INDEX live ON item (name) WHERE gone = 0",
      "create unique index \"where (\" on [item]([name])where/* WHERE */gone=0 -- the end",
      "CREATE UNIQUE INDEX IF NOT EXISTS 'x''WHERE' ON item (NAME ASC) WHERE (gone = 0 AND ')' <> '(')",
    ] as [SQL])
  func `has its condition`(index: SQL) async throws {
    #expect(try await upsert([index], items) == [items[1], items[2], items[3]])
  }

  @Test func `has the conditions of several indexes`() async throws {
    let indexes: [SQL] = [
      "CREATE UNIQUE INDEX live ON item (name) WHERE gone = 0",
      "CREATE UNIQUE INDEX dead ON item (name) WHERE gone = 1",
    ]
    #expect(try await upsert(indexes, items) == [items[1], items[3]])
  }

  @Test(
    arguments: [
      [], ["CREATE UNIQUE INDEX other ON item (name, gone) WHERE gone = 0"],
      ["CREATE INDEX plain ON item (name) WHERE gone = 0"],
      ["CREATE UNIQUE INDEX expression ON item (lower(name)) WHERE gone = 0"],
    ] as [[SQL]])
  func `is refused without such an index`(indexes: [SQL]) async throws {
    #expect(await failure { try await upsert(indexes, items) } == .statement)
  }

  @Test func `follows a changed index`() async throws {
    let service = try InMemoryPersistenceService(migrations: [Migration("item", Self.table)])
    try await service.write { [items] transaction in
      try transaction.execute("CREATE UNIQUE INDEX live ON item (name) WHERE gone = 0")
      try transaction.upsert(items[0], into: "item", key: ["name"])
      try transaction.execute("DROP INDEX live")
      #expect(throws: PersistenceError.self) {
        try transaction.upsert(items[1], into: "item", key: ["name"])
      }
      try transaction.execute("CREATE UNIQUE INDEX live ON item (name) WHERE gone < 1")
      try transaction.upsert(items[1], into: "item", key: ["name"])
      #expect(try transaction.rows("SELECT * FROM item", as: Item.self) == [items[1]])
    }
  }
}
