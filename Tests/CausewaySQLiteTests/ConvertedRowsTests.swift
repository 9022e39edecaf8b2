import CausewayDatabase
import CausewaySQLite
import Synchronization
import Testing

@Suite struct `Converted rows` {
  private struct Boat: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var name: String
  }

  @Test func `are converted once for each version, and are in the order of their values`()
    async throws
  {
    let store = try InMemoryPersistenceService(migrations: [
      Migration("boats", "CREATE TABLE boat (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL)")
    ])
    let made = Mutex<[String]>([])
    let boats = ConvertedRows<Boat, String>(sortedBy: { $0 < $1 }) { boat in
      made.withLock { $0.append(boat.id) }
      return boat.name.isEmpty ? nil : boat.name
    }
    var versions = store.observe("SELECT id, name FROM boat ORDER BY id", as: Boat.self).versions
      .makeAsyncIterator()
    func values(after statements: SQL...) async throws -> [String] {
      if !statements.isEmpty {
        try await store.write { for statement in statements { try $0.execute(statement) } }
      }
      return boats.update(try #require(try await versions.next()))
    }
    func converted() -> [String] {
      made.withLock { made in
        defer { made = [] }
        return made
      }
    }
    #expect(try await values() == [])
    let first = try await values(
      after: "INSERT INTO boat VALUES ('a', 'Zoe'), ('b', ''), ('c', 'Ana')")
    #expect(first == ["Ana", "Zoe"] && converted() == ["a", "b", "c"])
    let second = try await values(after: "UPDATE boat SET name = 'Bea' WHERE id = 'a'")
    #expect(second == ["Ana", "Bea"] && converted() == ["a"])
    let third = try await values(
      after: "INSERT INTO boat VALUES ('0', 'Abe')", "DELETE FROM boat WHERE id = 'c'")
    #expect(third == ["Abe", "Bea"] && converted() == ["0"])
  }
}
