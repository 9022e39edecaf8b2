import CausewayData
import CausewaySQLite
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A savepoint` {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(arguments: Store.allCases)
  func `undoes a part of a transaction`(_ store: Store) async throws {
    let service = try await store.open(directory, boats)
    try await service.write { transaction in
      try transaction.insert(Boat(id: 1, name: "Ada"), into: "boat")
      try transaction.execute("SAVEPOINT a")
      try transaction.insert(Boat(id: 2, name: "Bea"), into: "boat")
      try transaction.execute("SAVEPOINT \"B c\"")
      try transaction.insert(Boat(id: 3, name: "Cid"), into: "boat")
      try transaction.execute("ROLLBACK TO \"b C\"; RELEASE \"B c\"")
      try transaction.execute("INSERT INTO boat VALUES (4, 'Dot')")
      try transaction.execute("RELEASE A")
      try transaction.execute("SAVEPOINT a")
      try transaction.execute("DELETE FROM boat")
      try transaction.execute("ROLLBACK TRANSACTION TO SAVEPOINT a")
    }
    #expect(try await service.boatNames() == ["Ada", "Bea", "Dot"])
    try await service.close()
  }

  @Test(
    arguments: Store.allCases,
    [
      "RELEASE a", "ROLLBACK TO a", "RELEASE job", "RELEASE causeway_write",
      "ROLLBACK TO causeway_write", "SAVEPOINT causeway_write", "SAVEPOINT b; RELEASE a",
      "SAVEPOINT a; RELEASE a; RELEASE a",
    ] as [SQL])
  func `cannot be ended if it belongs to the service or does not exist`(
    _ store: Store, _ statement: SQL
  ) async throws {
    let service = try await store.open(directory, boats)
    let kind = await failure {
      try await service.write { transaction in
        try transaction.insert(Boat(id: 1, name: "Ada"), into: "boat")
        try transaction.execute(statement)
      }
    }
    #expect(kind == .statement)
    #expect(try await service.boatNames() == [])
    try await service.close()
  }

  @Test func `does no harm to the writes that share the commit if it stays open`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 1...60 {
        group.addTask {
          try? await service.write { transaction in
            try transaction.execute("SAVEPOINT job")
            try transaction.insert(Boat(id: id, name: "\(id)"), into: "boat")
            if id.isMultiple(of: 2) { try transaction.execute("ROLLBACK TO job") }
            if id.isMultiple(of: 3) { throw CancellationError() }
          }
        }
      }
      try await group.waitForAll()
    }
    let kept = (1...60).filter { !$0.isMultiple(of: 2) && !$0.isMultiple(of: 3) }
    #expect(try await service.boatNames() == kept.map(String.init))
    try await service.close()
  }

  @Test func `live queries are right after a rollback to a savepoint`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    var names = service.observe("SELECT name FROM boat ORDER BY id", as: String.self)
      .makeAsyncIterator()
    #expect(try await names.next() == [])
    try await service.write { transaction in
      try transaction.insert(Boat(id: 1, name: "Ada"), into: "boat")
      try transaction.execute("SAVEPOINT a")
      try transaction.insert(Boat(id: 2, name: "Bea"), into: "boat")
      try transaction.execute("ROLLBACK TO a")
    }
    #expect(try await names.next() == ["Ada"])
    try await service.close()
  }
}
