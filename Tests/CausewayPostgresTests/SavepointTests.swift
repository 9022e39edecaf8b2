import CausewayData
import CausewayPostgres
import Testing

@Suite(.enabled(if: TestServer.isInstalled, TestServer.skipReason), .timeLimit(.minutes(5)))
struct `A savepoint of the server` {
  private struct Boat: Codable, Equatable, Sendable {
    var id: Int
    var name: String
  }

  private func open() async throws -> PostgresService {
    try await PostgresService(
      url: TestServer.shared.value.makeSchema(),
      migrations: [
        Migration("boats", "CREATE TABLE boat (id BIGINT PRIMARY KEY, name TEXT NOT NULL)")
      ])
  }

  private func names(_ service: PostgresService) async throws -> [String] {
    try await service.rows("SELECT name FROM boat ORDER BY id", as: String.self)
  }

  @Test func `undoes a part of a transaction`() async throws {
    let service = try await open()
    try await service.write { transaction in
      try transaction.insert(Boat(id: 1, name: "Ada"), into: "boat")
      try transaction.execute("SAVEPOINT a")
      try transaction.insert(Boat(id: 2, name: "Bea"), into: "boat")
      try transaction.execute("savepoint \"B c\"")
      try transaction.insert(Boat(id: 3, name: "Cid"), into: "boat")
      try transaction.execute("ROLLBACK TO \"B c\"; RELEASE \"B c\"")
      try transaction.execute("INSERT INTO boat VALUES (4, 'Dot')")
      try transaction.execute("RELEASE SAVEPOINT a")
      try transaction.execute("SAVEPOINT a")
      try transaction.execute("DELETE FROM boat")
      try transaction.execute("/* all */ rollback transaction to savepoint a")
    }
    #expect(try await names(service) == ["Ada", "Bea", "Dot"])
    try await service.close()
  }

  @Test(arguments: [1, 200])
  func `lets a transaction continue after a failed statement`(records: Int) async throws {
    let service = try await open()
    try await service.write { try $0.insert(Boat(id: 1, name: "Ada"), into: "boat") }
    let boats = (0..<records).map { Boat(id: records - $0, name: "lost") }
    let kinds = try await service.write { transaction in
      var kinds: [PersistenceError.Kind] = []
      try transaction.execute("INSERT INTO boat VALUES (300, 'kept')")
      for _ in 0..<2 {
        try transaction.execute("SAVEPOINT a")
        do {
          try transaction.insert(boats, into: "boat")
          // The first run gets here, because a few records are sent with the next statement.
          try transaction.execute("RELEASE a")
        } catch let error as PersistenceError {
          kinds.append(error.kind)
          for statement in ["INSERT INTO boat VALUES (5, 'no')", "SELECT 1; SELECT 2"] as [SQL] {
            #expect(throws: PersistenceError.self) { try transaction.execute(statement) }
          }
          try transaction.execute("ROLLBACK TO a")
        }
      }
      try transaction.execute("INSERT INTO boat VALUES (301, 'also kept')")
      return kinds
    }
    #expect(kinds == [.constraint(.unique), .constraint(.unique)])
    #expect(try await names(service) == ["Ada", "kept", "also kept"])
    try await service.close()
  }

  @Test(
    arguments: [
      "ROLLBACK TO a", "RELEASE a", "SAVEPOINT a; RELEASE a; RELEASE a", "ROLLBACK", "ABORT",
      "ROLLBACK AND CHAIN", "ROLLBACK WORK", "ROLLBACK PREPARED 'to'",
    ] as [SQL])
  func `is refused if it does not exist, and the transaction ends with its first failure`(
    _ statement: SQL
  ) async throws {
    let service = try await open()
    for fails in [false, true] {
      let error = await #expect(throws: PersistenceError.self) {
        try await service.write { transaction in
          try transaction.insert(Boat(id: 1, name: "Ada"), into: "boat")
          if fails {
            try? transaction.execute("SELECT 1 FROM no_such_table")
            try? transaction.execute(statement)
          } else {
            try transaction.execute(statement)
          }
        }
      }
      #expect(error?.kind == (fails ? .aborted : .statement))
      #expect(try await names(service) == [])
    }
    try await service.close()
  }

  @Test func `live queries are right after a rollback to a savepoint`() async throws {
    let service = try await open()
    var versions = service.observe("SELECT name FROM boat ORDER BY id", as: String.self)
      .makeAsyncIterator()
    #expect(try await versions.next() == [])
    try await service.write { transaction in
      try transaction.execute("SAVEPOINT a")
      try transaction.execute("INSERT INTO boat VALUES (2, 'Bea')")
      try transaction.execute("ROLLBACK TO a")
      try transaction.execute("INSERT INTO boat VALUES (1, 'Ada')")
    }
    #expect(try await versions.next() == ["Ada"])
    try await service.close()
  }
}
