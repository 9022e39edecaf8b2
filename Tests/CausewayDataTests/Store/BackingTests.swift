import CausewayData
import CausewaySQLite
import Testing

@testable import CausewayStores

private struct Draft: Codable, Equatable, Sendable {
  var title: String
  var tags: [String] = []
}

@Suite("Store backings", .timeLimit(.minutes(10))) struct BackingTests {
  private let first = StoreChanges(
    updated: [1: Draft(title: "one", tags: ["a"]), 2: Draft(title: "two 'quoted' é")])
  private let second = StoreChanges(updated: [1: Draft(title: "uno")], removed: [2, 9])

  private func check(_ make: () async throws -> any StoreBacking<Int, Draft>) async throws {
    var backing = try await make()
    #expect(try await backing.load() == [:])
    try await backing.save(first)
    backing = try await make()
    #expect(try await backing.load() == first.updated)
    try await backing.save(second)
    #expect(try await backing.load() == [1: Draft(title: "uno")])
    backing = try await make()
    #expect(try await backing.load() == [1: Draft(title: "uno")])
  }

  @Test func `a table keeps the saved values`() async throws {
    let service = try InMemoryPersistenceService(migrations: [
      DatabaseBacking<Int, Draft>.migration(table: "odd \"table\"")
    ])
    try await check { DatabaseBacking<Int, Draft>(service, table: "odd \"table\"") }
    try await service.close()
  }

  @Test func `a key is the same row in every Unicode spelling`() async throws {
    let service = try InMemoryPersistenceService(migrations: [
      DatabaseBacking<String, Int>.migration(table: "visit")
    ])
    let backing = DatabaseBacking<String, Int>(service, table: "visit")
    let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
    try #require(composed == decomposed)
    try await backing.save(StoreChanges(updated: [composed: 1]))
    try await backing.save(StoreChanges(updated: [decomposed: 2]))
    #expect(try await backing.load() == [composed: 2])
    try await backing.save(StoreChanges(updated: [composed: 3]))
    try await backing.save(StoreChanges(removed: [decomposed]))
    #expect(try await backing.load() == [:])
    try await service.close()
  }

  @Test func `a table applies all of the changes or none`() async throws {
    let service = try InMemoryPersistenceService(migrations: [
      DatabaseBacking<Int, Draft>.migration(table: "draft"),
      Migration(
        "refuse",
        """
        CREATE TRIGGER refuse BEFORE DELETE ON draft BEGIN SELECT RAISE(ABORT, 'no'); END
        """),
    ])
    let backing = DatabaseBacking<Int, Draft>(service, table: "draft")
    try await backing.save(first)
    await #expect(throws: PersistenceError.self) { try await backing.save(second) }
    #expect(try await backing.load() == first.updated)
    try await service.close()
  }
}
