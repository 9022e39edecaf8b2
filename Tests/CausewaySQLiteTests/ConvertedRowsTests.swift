import CausewayDatabase
import Synchronization
import TestSupport
import Testing

@testable import CausewaySQLite

@Suite struct `Converted rows` {
  private struct Boat: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var name: String
  }

  @Test func `are converted once for each version, and are in the order of their rows`()
    async throws
  {
    let store = try InMemoryPersistenceService(migrations: [
      Migration("boats", "CREATE TABLE boat (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL)")
    ])
    let made = Mutex<[String]>([])
    let boats = ConvertedRows<Boat, String> { boat in
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
    #expect(first == ["Zoe", "Ana"] && converted() == ["a", "b", "c"])
    let second = try await values(after: "UPDATE boat SET name = 'Bea' WHERE id = 'a'")
    #expect(second == ["Bea", "Ana"] && converted() == ["a"])
    let third = try await values(
      after: "INSERT INTO boat VALUES ('0', 'Abe')", "DELETE FROM boat WHERE id = 'c'")
    #expect(third == ["Abe", "Bea"] && converted() == ["0"])
  }

  /// A database in memory runs the whole query again; a database in a file follows its changes.
  @Test(arguments: [false, true])
  func `return the removed and inserted rows of a version, and convert no others`(isFile: Bool)
    async throws
  {
    let migrations = [
      Migration("boats", "CREATE TABLE boat (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL)")
    ]
    let directory = try TemporaryDirectory(isFast: true)
    var configuration = SQLiteConfiguration(synchronous: .normal)
    configuration.threads = nil
    configuration.shortestFollowed = 0
    let store: any PersistenceService =
      isFile
      ? try await SQLiteService(
        path: directory.file, migrations: migrations, configuration: configuration)
      : try InMemoryPersistenceService(migrations: migrations)
    let count = 300
    try await store.write { transaction in
      for number in 0..<count {
        try transaction.execute("INSERT INTO boat VALUES (\("b\(number)"), \("Boat \(number)"))")
      }
    }
    let conversions = Mutex(0)
    let boats = ConvertedRows<Boat, String> { boat in
      conversions.withLock { $0 += 1 }
      return boat.name.isEmpty ? nil : boat.name
    }
    var versions = store.observe("SELECT id, name FROM boat", as: Boat.self).versions
      .makeAsyncIterator()
    var names: [String] = []
    func change(_ statements: SQL...) async throws -> (Set<String>, Set<String>, Int) {
      if !statements.isEmpty {
        try await store.write { for statement in statements { try $0.execute(statement) } }
      }
      conversions.withLock { $0 = 0 }
      let rows = try #require(try await versions.next())
      // After a change of a key, the query runs as a whole.
      let changesKeys = statements.contains { $0.text.contains("SET id") }
      let isFollowed = isFile && !statements.isEmpty && !changesKeys
      #expect((rows.changedIDs != nil) == isFollowed)
      let (removed, inserted) = boats.changes(to: rows)
      names.removeAll { removed.contains($0) }
      names += inserted
      #expect(names.sorted() == rows.map(\.name).filter { !$0.isEmpty }.sorted())
      return (Set(removed), Set(inserted), conversions.withLock { $0 })
    }
    #expect(try await change() == ([], Set((0..<count).map { "Boat \($0)" }), count))
    #expect(
      try await change("UPDATE boat SET name = 'Zoe' WHERE id = 'b1'") == (["Boat 1"], ["Zoe"], 1))
    #expect(try await change("UPDATE boat SET name = '' WHERE id = 'b1'") == (["Zoe"], [], 1))
    #expect(
      try await change(
        "DELETE FROM boat WHERE id = 'b0'", "INSERT INTO boat VALUES ('c', 'Ana'), ('d', 'Bea')")
        == (["Boat 0"], ["Ana", "Bea"], 2))
    // The row of the table stays, and belongs to another boat.
    #expect(
      try await change("UPDATE boat SET id = 'e' WHERE id = 'c'") == (["Ana"], ["Ana"], 1))
    // Two boats exchange their ids.
    #expect(
      try await change(
        "UPDATE boat SET id = 'x' WHERE id = 'e'", "UPDATE boat SET id = 'e' WHERE id = 'd'",
        "UPDATE boat SET id = 'd' WHERE id = 'x'") == (["Ana", "Bea"], ["Ana", "Bea"], 2))
  }
}
