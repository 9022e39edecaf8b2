import CausewayData
import CausewaySQLite
import Testing

@Suite struct TransactionTests {
  struct Refused: Error {}
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: Store.allCases)
  func `A read after a write returns what the write stored`(_ store: Store) async throws {
    let service = try await store.open(directory, boats)
    try await service.add(1, "Ada")
    #expect(try await service.boatNames() == ["Ada"])
  }

  @Test(arguments: Store.allCases)
  func `A thrown error rolls back the whole transaction and is rethrown`(_ store: Store)
    async throws
  {
    let service = try await store.open(directory, boats)
    await #expect(throws: Refused.self) {
      try await service.write { transaction in
        try transaction.insert(Boat(id: 1, name: "Ada"), into: "boat")
        throw Refused()
      }
    }
    #expect(try await service.boatNames().isEmpty)
  }

  @Test func `A failed statement changes nothing, and the transaction continues`() async throws {
    let service = try await Store.file.open(directory, boats)
    try await service.write { transaction in
      try transaction.insert(Boat(id: 1, name: "Ada"), into: "boat")
      let twice = #expect(throws: PersistenceError.self) {
        try transaction.execute("INSERT INTO boat VALUES (2, 'Bea'), (1, 'twice')")
      }
      #expect(twice?.kind == .constraint(.unique))
      #expect(twice?.extendedCode == 1555)
      try transaction.insert(Boat(id: 3, name: "Cara"), into: "boat")
    }
    #expect(try await service.boatNames() == ["Ada", "Cara"])
  }

  @Test func `After an error that ended the transaction no statement stores data`() async throws {
    let service = try await Store.file.open(directory, boats)
    let kind = await failure {
      try await service.write { transaction in
        try transaction.insert(Boat(id: 1, name: "Ada"), into: "boat")
        _ = try? transaction.execute("INSERT OR ROLLBACK INTO boat VALUES (1, 'twice')")
        try? transaction.insert(Boat(id: 2, name: "Bea"), into: "boat")
      }
    }
    #expect(kind == .aborted)
    #expect(try await service.boatNames().isEmpty)
  }

  @Test(arguments: ["BEGIN", "COMMIT", "ROLLBACK"] as [SQL])
  func `A body cannot begin or end transactions`(_ statement: SQL) async throws {
    let service = try await Store.file.open(directory, boats)
    let kind = await failure { try await service.write { try $0.execute(statement) } }
    #expect(kind == .statement)
    try await service.add(1, "Ada")
    #expect(try await service.boatNames() == ["Ada"])
  }

  @Test(arguments: Store.allCases)
  func `A read cannot change anything`(_ store: Store) async throws {
    let service = try await store.open(directory, boats)
    try await service.add(1, "Ada")
    let kind = await failure {
      _ = try await service.read {
        try $0.rows("DELETE FROM boat RETURNING id", as: Int.self)
      }
    }
    #expect(kind == .readOnly)
    #expect(try await service.boatNames() == ["Ada"])
  }

  @Test func `A read sees one snapshot during concurrent commits`() async throws {
    let service = try await Store.file.open(directory, boats)
    try await service.add(1, "Ada")
    let other = directory.file
    let counts = try await service.read { transaction in
      let before = try transaction.row("SELECT count(*) FROM boat", as: Int.self)
      try OtherProgram(other).run("INSERT INTO boat VALUES (2, 'Bea')")
      return [before, try transaction.row("SELECT count(*) FROM boat", as: Int.self)]
    }
    #expect(counts == [1, 1])
    #expect(try await service.boatNames() == ["Ada", "Bea"])
  }

  @Test func `Upsert inserts or replaces a row, and delete removes it by key`() async throws {
    let service = try await Store.file.open(directory, boats)
    try await service.write { transaction in
      try transaction.upsert([Boat(id: 1, name: "Ada"), Boat(id: 2, name: "Bea")], into: "boat")
      try transaction.upsert(Boat(id: 1, name: "Ada II"), into: "boat")
      #expect(try transaction.delete(Boat(id: 2, name: ""), from: "boat"))
      #expect(try !transaction.delete(Boat(id: 9, name: ""), from: "boat"))
    }
    #expect(try await service.boatNames() == ["Ada II"])
  }

  @Test func `executeAndCount returns the number of changed rows and runs scripts`() async throws {
    let service = try await Store.file.open(directory, boats)
    let counts = try await service.write { transaction in
      [
        try transaction.executeAndCount(
          "INSERT INTO boat VALUES (1, 'a;b'); INSERT INTO boat VALUES (2, 'c'), (3, 'd'); -- end"),
        try transaction.executeAndCount("UPDATE boat SET name = \("x") WHERE id > \(1)"),
        try transaction.executeAndCount("CREATE TABLE crew (id INTEGER)"),
      ]
    }
    #expect(counts == [2, 2, 0])
  }

  @Test func `Bound values never appear in an error`() async throws {
    let service = try await Store.file.open(directory, boats)
    try await service.add(1, "Ada")
    let error = await #expect(throws: PersistenceError.self) {
      try await service.write {
        try $0.execute("INSERT INTO boat VALUES (\(1), \("a secret"))")
      }
    }
    let text = try #require(error).description
    #expect(text.contains("INSERT INTO boat VALUES (?, ?)"))
    #expect(text.contains("Use upsert"))
    #expect(!text.contains("secret"))
  }

  @Test func `A placeholder without a value throws an error and is not NULL`() async throws {
    let service = try await Store.file.open(directory, boats)
    let kind = await failure {
      _ = try await service.read { try $0.rows("SELECT id FROM boat WHERE id = ?", as: Int.self) }
    }
    #expect(kind == .statement)
  }

  @Test func `Foreign keys are enforced`() async throws {
    let service = try await Store.file.open(
      directory,
      [
        Migration(
          "create", "CREATE TABLE boat (id INTEGER PRIMARY KEY, name TEXT)",
          "CREATE TABLE crew (boat INTEGER REFERENCES boat)")
      ])
    let kind = await failure {
      try await service.write { try $0.execute("INSERT INTO crew VALUES (7)") }
    }
    #expect(kind == .constraint(.foreignKey))
  }
}
