import CausewayData
import CausewayPostgres
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.enabled(if: TestServer.isInstalled, TestServer.skipReason), .timeLimit(.minutes(5)))
struct TransactionTests {
  struct Entry: Codable, Equatable, Sendable {
    var id: Int
    var name: String
    var bytes: Data?
    var isOpen = true
    var price = 1.5
  }

  static let migrations = [
    Migration(
      "create entry",
      """
      CREATE TABLE entry (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, bytes BYTEA, "isOpen" BOOLEAN NOT NULL,
        price NUMERIC NOT NULL)
      """)
  ]

  private func open(
    _ change: (inout PostgresService.Configuration) -> Void = { _ in }
  ) async throws -> PostgresService {
    var configuration = PostgresService.Configuration()
    change(&configuration)
    return try await PostgresService(
      url: TestServer.shared.value.makeSchema(), migrations: Self.migrations,
      configuration: configuration)
  }

  @Test func `An error of a statement in a batch is thrown where the closure runs the statement`()
    async throws
  {
    struct NameIsTaken: Error, Equatable {
      var runs: Int
    }
    // At this level, the transactions of other tests cause no rollbacks.
    let service = try await open { $0.isolation = .readCommitted }
    let entry = Entry(id: 1, name: "Ada")
    try await service.write { try $0.insert(entry, into: "entry") }
    let runs = Mutex(0)
    for insertion in [true, false] {
      let error = await #expect(throws: NameIsTaken.self) {
        try await service.write { transaction in
          runs.withLock { $0 += 1 }
          do {
            if insertion {
              try transaction.insert(entry, into: "entry")
            } else {
              try transaction.execute("INSERT INTO entry VALUES (\(1), 'Bea', NULL, true, 1)")
            }
          } catch let error as PersistenceError where error.kind == .constraint(.unique) {
            throw NameIsTaken(runs: runs.withLock { $0 })
          }
          // The first run gets here, because the statement is sent with the commit.
          try transaction.execute("UPDATE entry SET name = \("lost")")
        }
      }
      #expect(error?.runs == (insertion ? 2 : 4))
    }
    #expect(try await service.rows("SELECT name FROM entry", as: String.self) == ["Ada"])
    try await service.close()
  }

  @Test func `A late failure is found if the write has more statements than a connection caches`()
    async throws
  {
    struct NameIsTaken: Error {}
    let service = try await open { $0.connections = 1 }
    @Sendable func insertion(_ number: Int, _ round: Int) -> SQL {
      SQL(unchecked: "INSERT INTO entry VALUES (\(number), 'round \(round)', NULL, true, 1)")
    }
    try await service.write { transaction in
      for number in 1...300 { try transaction.execute(insertion(number, 1)) }
    }
    // Each of these statements removes an earlier prepared statement.
    await #expect(throws: NameIsTaken.self) {
      try await service.write { transaction in
        for number in 301...350 { try transaction.execute(insertion(number, 2)) }
        do {
          try transaction.execute(insertion(7, 2))
        } catch let error as PersistenceError where error.kind == .constraint(.unique) {
          throw NameIsTaken()
        }
        for number in 351...400 { try transaction.execute(insertion(number, 2)) }
        _ = try transaction.row("SELECT count(*) FROM entry", as: Int.self)
      }
    }
    #expect(try await service.rows("SELECT count(*) FROM entry", as: Int.self) == [300])
    try await service.close()
  }

  @Test func `Large values and large results in one batch do not wait for each other`()
    async throws
  {
    let service = try await open()
    let text = String(repeating: "x", count: 300_000)
    try await service.write { transaction in
      for id in 1...40 {
        try transaction.execute(
          "INSERT INTO entry VALUES (\(id), \(text), NULL, true, 1) RETURNING name")
      }
    }
    let lengths = try await service.rows("SELECT sum(length(name)) FROM entry", as: Int.self)
    #expect(lengths == [40 * 300_000])
    try await service.close()
  }

  @Test(arguments: [1, 2])
  func `A cancellation before the commit stores nothing, and later calls succeed`(
    _ id: Int
  ) async throws {
    let service = try await open { $0.connections = 1 }
    try await service.write { try $0.insert(Entry(id: 1, name: "Ada"), into: "entry") }
    let task = Task {
      try await service.write { transaction in
        // The first of the two ids is taken, so the statement would fail.
        try transaction.execute("INSERT INTO entry VALUES (\(id), 'Bea', NULL, true, 1)")
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    for _ in 0..<3 {
      #expect(try await service.rows("SELECT name FROM entry", as: String.self) == ["Ada"])
    }
    try await service.write { try $0.execute("UPDATE entry SET name = \("Cleo")") }
    #expect(try await service.rows("SELECT name FROM entry", as: String.self) == ["Cleo"])
    try await service.close()
  }

  @Test func `A closure that throws stores nothing, and an earlier failure is thrown first`()
    async throws
  {
    struct Stop: Error {}
    let service = try await open { $0.connections = 1 }
    try await service.write { try $0.insert(Entry(id: 1, name: "Ada"), into: "entry") }
    for id in [1, 2] {
      let error = await #expect(throws: (any Error).self) {
        try await service.write { transaction in
          try transaction.execute("INSERT INTO entry VALUES (\(id), 'Bea', NULL, true, 1)")
          throw Stop()
        }
      }
      // The first id is taken, so the closure does not come to its own error.
      #expect(id == 1 ? (error as? PersistenceError)?.kind == .constraint(.unique) : error is Stop)
      #expect(try await service.rows("SELECT name FROM entry", as: String.self) == ["Ada"])
    }
    try await service.close()
  }

  @Test func `Statements that wait run before the next statement and before a script`()
    async throws
  {
    let service = try await open()
    let counts = try await service.write { transaction in
      for id in 1...600 { try transaction.insert(Entry(id: id, name: "Ada"), into: "entry") }
      try transaction.execute("UPDATE entry SET name = \("Bea") WHERE id = \(600)")
      let first = try transaction.row("SELECT count(*) FROM entry", as: Int.self)
      try transaction.execute("DELETE FROM entry WHERE name = \("Bea")")
      try transaction.execute("CREATE TABLE copy AS TABLE entry; DELETE FROM entry WHERE id > 9")
      try transaction.execute("DELETE FROM entry WHERE id = \(1)")
      let deleted = try transaction.executeAndCount("DELETE FROM entry WHERE id = \(1)")
      try transaction.execute("UPDATE entry SET price = \(2.5) WHERE id = \(2)")
      return [first, deleted, try transaction.row("SELECT count(*) FROM copy", as: Int.self)]
    }
    #expect(counts == [600, 0, 599])
    let prices = try await service.rows("SELECT price FROM entry ORDER BY id", as: Double.self)
    #expect(prices == [2.5] + [Double](repeating: 1.5, count: 7))
    try await service.close()
  }

  @Test func `Transactions that lock rows in opposite orders are all stored`() async throws {
    // The server takes a second to notice each deadlock.
    let service = try await open {
      $0.isolation = .readCommitted
      $0.busyTimeout = .seconds(120)
    }
    try await service.write { transaction in
      try transaction.insert([Entry(id: 1, name: "a"), Entry(id: 2, name: "b")], into: "entry")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          try await service.write { transaction in
            for id in number.isMultiple(of: 2) ? [1, 2] : [2, 1] {
              try transaction.execute("UPDATE entry SET price = price + 1 WHERE id = \(id)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let prices = try await service.rows("SELECT price FROM entry", as: Double.self)
    #expect(prices == [5.5, 5.5])
    try await service.close()
  }

  @Test(arguments: [true, false])
  func `Transactions begin and end on their connection after many different statements`(
    _ fails: Bool
  ) async throws {
    let service = try await open {
      $0.connections = 1
      $0.observesOtherProcesses = false
    }
    var processes: Set<Int?> = []
    for round in 0..<2 {
      // More statements than a connection keeps.
      try await service.read { transaction in
        for number in 0..<300 {
          let text = SQL(unchecked: "SELECT \(number + round * 1_000)")
          _ = try transaction.row(text, as: Int.self)
        }
        if fails { _ = try? transaction.row("SELECT nothing", as: Int.self) }
      }
      processes.insert(
        try await service.write { transaction in
          try transaction.insert([Entry(id: round, name: "stored")], into: "entry")
          return try transaction.row("SELECT pg_backend_pid()", as: Int.self)
        })
    }
    #expect(processes.count == 1)
    #expect(try await service.rows("SELECT count(*) FROM entry", as: Int.self) == [2])
    try await service.close()
  }

  @Test func `Many records are copied exactly as they are`() async throws {
    let service = try await open()
    let texts = ["\\N", "\\.", "\t", "\n", "\r\n", "\\", "'", "", "né", "\\x41", "\u{1}"]
    let entries = (0..<2_000).map { (id: Int) -> Entry in
      let bytes = Data((0..<id % 300).map { UInt8($0 % 256) })
      return Entry(
        id: id, name: texts[id % texts.count], bytes: id.isMultiple(of: 3) ? nil : bytes,
        isOpen: id.isMultiple(of: 2), price: Double(id) / 8)
    }
    try await service.write { transaction in
      try transaction.execute("INSERT INTO entry VALUES (-1, 'before', NULL, true, 1)")
      try transaction.insert(entries, into: "entry")
      try transaction.upsert(Entry(id: -1, name: "after"), into: "entry")
    }
    let found = try await service.rows(
      "SELECT * FROM entry WHERE id >= 0 ORDER BY id", as: Entry.self)
    #expect(found == entries)
    let names = try await service.rows("SELECT name FROM entry WHERE id < 0", as: String.self)
    #expect(names == ["after"])
    try await service.close()
  }

  @Test func `A row that COPY refuses throws a typed error, and nothing is stored`() async throws {
    let service = try await open()
    let entries = (0..<500).map { Entry(id: $0 % 400, name: "secret") }
    let error = await #expect(throws: PersistenceError.self) {
      try await service.write { try $0.insert(entries, into: "entry") }
    }
    #expect(error?.kind == .constraint(.unique))
    #expect(error?.sqlState == "23505")
    #expect(error.map { "\($0)".contains("secret") } == false)
    let nul = await #expect(throws: PersistenceError.self) {
      try await service.write { transaction in
        try transaction.insert((0..<500).map { Entry(id: $0, name: "a\0b") }, into: "entry")
      }
    }
    #expect(nul?.kind == .encoding)
    #expect(try await service.rows("SELECT count(*) FROM entry", as: Int.self) == [0])
    try await service.close()
  }

  @Test(arguments: [64, 65])
  func `A copy begins with the record after the first 64`(_ count: Int) async throws {
    let service = try await open()
    try await service.write { transaction in
      // The server runs this trigger once for each statement, and a COPY is one statement.
      try transaction.execute(
        """
        CREATE TABLE statement (id INT);
        CREATE FUNCTION count_statement() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO statement VALUES (1); RETURN NULL; END $$;
        CREATE TRIGGER count_statement AFTER INSERT ON entry
        FOR EACH STATEMENT EXECUTE FUNCTION count_statement();
        """)
      try transaction.insert((1...count).map { Entry(id: $0, name: "a") }, into: "entry")
    }
    let statements = try await service.rows("SELECT count(*) FROM statement", as: Int.self)
    #expect(statements == [count])
    try await service.close()
  }

  @Test(
    arguments: [
      "COPY entry TO STDOUT", "COPY entry FROM STDIN", "SELECT 1; COPY entry FROM STDIN",
    ],
    ["execute", "rows"])
  func `A COPY statement with the client is a typed error`(
    _ text: String, _ call: String
  ) async throws {
    let service = try await open()
    let error = await #expect(throws: PersistenceError.self) {
      if call == "rows" {
        _ = try await service.rows(SQL(unchecked: text), as: Int.self)
      } else {
        try await service.write { try $0.execute(SQL(unchecked: text)) }
      }
    }
    #expect(error?.kind == .statement || error?.kind == .readOnly, "\(String(describing: error))")
    #expect(try await service.rows("SELECT 1", as: Int.self) == [1])
    try await service.close()
  }

  @Test func `A text with the character NUL is refused instead of shortened`() async throws {
    let service = try await open()
    let error = await #expect(throws: PersistenceError.self) {
      try await service.rows("SELECT \("a\0b")", as: String.self)
    }
    #expect(error?.kind == .encoding)
    #expect(try await service.rows("SELECT \("a")", as: String.self) == ["a"])
    try await service.close()
  }

  @Test(
    arguments: [
      "/* a */ COMMIT", "-- a\nROLLBACK", "SELECT 1; COMMIT", "SELECT ';'; END",
      "SELECT $$;$$; ABORT", "SELECT E'\\';'; BEGIN", "start transaction", "/* /* */ */ commit",
    ])
  func `A statement that ends the transaction is refused`(_ text: String) async throws {
    let service = try await open()
    let error = await #expect(throws: PersistenceError.self) {
      try await service.write { transaction in
        try transaction.insert(Entry(id: 1, name: "a"), into: "entry")
        try transaction.execute(SQL(unchecked: text))
      }
    }
    #expect(error?.kind == .statement)
    #expect(try await service.rows("SELECT count(*) FROM entry", as: Int.self) == [0])
    try await service.close()
  }

  @Test func `A script may contain functions and quoted semicolons`() async throws {
    let service = try await open()
    let sum = try await service.write { transaction in
      try transaction.execute(
        """
        CREATE FUNCTION twice(n INT) RETURNS INT LANGUAGE SQL BEGIN ATOMIC SELECT 2 * n; END;
        CREATE FUNCTION thrice(n INT) RETURNS INT LANGUAGE plpgsql AS $f$
        BEGIN RETURN 3 * n; END $f$;
        INSERT INTO entry VALUES (1, 'a;''b', NULL, true, 1);
        """)
      return try transaction.row("SELECT twice(2) + thrice(3)", as: Int.self)
    }
    #expect(sum == 13)
    #expect(try await service.rows("SELECT name FROM entry", as: String.self) == ["a;'b"])
    try await service.close()
  }

  @Test func `Processes that start together apply each migration once`() async throws {
    let url = try await TestServer.shared.value.makeSchema()
    let runs = Mutex(0)
    let migrations =
      Self.migrations + [
        Migration("fill", version: 1) { transaction in
          runs.withLock { $0 += 1 }
          try transaction.insert(Entry(id: 1, name: "a"), into: "entry")
        }
      ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 {
        group.addTask {
          let service = try await PostgresService(url: url, migrations: migrations)
          try await service.close()
        }
      }
      try await group.waitForAll()
    }
    #expect(runs.withLock { $0 } == 1)
    await #expect {
      _ = try await PostgresService(url: url, migrations: [Migration("create entry", "SELECT 1")])
    } throws: { ($0 as? PersistenceError)?.kind == .migration }
  }

  @Test func `The migrations of the outbox are refused with their name`() async throws {
    let url = try await TestServer.shared.value.makeSchema()
    let error = await #expect(throws: PersistenceError.self) {
      _ = try await PostgresService(url: url, migrations: Self.migrations + Outbox.migrations)
    }
    #expect(error?.kind == .migration)
    #expect(error?.message.contains("causeway: outbox") == true)
  }

  @Test(
    arguments: [
      ("postgres://nobody@/nowhere?host=HOST", PersistenceError.Kind.cannotOpen),
      ("postgres://postgres@/postgres?host=HOST/missing", .unavailable),
      ("postgres://postgres@/postgres?host=HOST&sslmode=often", .unavailable),
      ("postgres://secret:secret@[/", .cannotOpen),
    ])
  func `An address that does not work is a typed error without the password`(
    _ url: String, _ kind: PersistenceError.Kind
  ) async throws {
    let directory = try await TestServer.shared.value.directory
    var configuration = PostgresService.Configuration()
    // The service waits for a missing server, so the test shortens this wait.
    if kind == .unavailable { configuration.reconnectTimeout = .milliseconds(100) }
    let error = await #expect(throws: PersistenceError.self) {
      _ = try await PostgresService(
        url: url.replacing("HOST", with: directory), migrations: [], configuration: configuration)
    }
    #expect(error?.kind == kind)
    #expect(error.map { "\($0)".contains("secret") } == false)
  }

  @Test func `The first host that accepts writes is used`() async throws {
    let directory = try await TestServer.shared.value.directory
    let service = try await PostgresService(
      url: "postgres://postgres@/postgres?host=/missing,\(directory)"
        + "&target_session_attrs=read-write", migrations: [])
    #expect(try await service.rows("SELECT 1", as: Int.self) == [1])
    try await service.close()
  }

  @Test func `An address can demand TLS and a certificate with the name of the host`() async throws
  {
    let server = try await TestServer()
    let port = try ReservedPort()
    for command in [
      "certify harbor.example", "set port = \(port.number)",
      "set listen_addresses = '127.0.0.1'", "stop fast", "start",
    ] {
      try await server.control(command)
    }
    func url(_ host: String) -> String {
      "postgres://postgres@\(host):\(port.number)/postgres?hostaddr=127.0.0.1"
        + "&sslmode=verify-full&sslrootcert=\(server.directory)/cert.pem"
    }
    let service = try await PostgresService(url: url("harbor.example"), migrations: [])
    let query: SQL = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
    #expect(try await service.rows(query, as: Bool.self) == [true])
    try await service.close()
    let error = await #expect(throws: PersistenceError.self) {
      _ = try await PostgresService(url: url("other.example"), migrations: [])
    }
    #expect(error?.kind == .cannotOpen)
    await server.close()
  }
}
