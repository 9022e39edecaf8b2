import CausewayData
import CausewaySQLite
import HarborAccounts
import Testing

@Suite struct `Secret links` {
  @Test func `belong to a topic of an account until they are renewed`() async throws {
    let store = try InMemoryPersistenceService(migrations: [
      Migration("accounts", "CREATE TABLE account (id TEXT PRIMARY KEY)"),
      SecretLinks.migration(),
      Migration("Zoe", "INSERT INTO account VALUES ('zoe')"),
    ])
    func make(_ topic: String) async throws -> String {
      try await store.write { try SecretLinks.make(for: topic, of: "zoe", in: $0) }
    }
    func owner(_ code: String) async throws -> [String]? {
      try await store.read { try SecretLinks.owner(of: code, in: $0).map { [$0.0, $0.1] } }
    }
    let (first, other) = (try await make("calendar"), try await make("other"))
    #expect(try await owner(first) == ["zoe", "calendar"])
    #expect(try await owner(other) == ["zoe", "other"])
    let second = try await make("calendar")
    #expect(try await owner(first) == nil)
    #expect(try await owner(second) == ["zoe", "calendar"])
    #expect(try await owner(String(second.dropLast()) + "!") == nil)
    #expect(try await owner(String(repeating: "a", count: 10_000)) == nil)
    // The database has no text that opens a link.
    let stored = try await store.read {
      try $0.rows("SELECT hash FROM secret_link", as: String.self)
    }
    #expect(stored.count == 2 && !stored.contains(second))
    try await store.write { try $0.execute("DELETE FROM account") }
    #expect(try await owner(second) == nil)
  }
}
