import CausewayData
import TestSupport
import Testing

@testable import CausewaySQLite

@Suite(.timeLimit(.minutes(10))) struct LiveQueryTests {
  static let names: SQL = "SELECT name FROM boat ORDER BY id"
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: Store.allCases)
  func `A live query returns the rows first and then each version`(_ store: Store) async throws {
    let service = try await store.open(directory, boats)
    try await service.add(1, "Ada")
    var versions = service.observe(Self.names, as: String.self).makeAsyncIterator()
    #expect(try await versions.next() == ["Ada"])
    try await service.add(2, "Bea")
    #expect(try await versions.next() == ["Ada", "Bea"])
  }

  @Test func `No commit after the call of observe is missed`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    let query = service.observe(Self.names, as: String.self)
    try await service.add(1, "Ada")
    var last: [String] = []
    for try await names in query where !names.isEmpty {
      last = names
      break
    }
    #expect(last == ["Ada"])
  }

  @Test func `A new consumer of a shared query gets no rows older than its call`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    var first = service.observe(Self.names, as: String.self).makeAsyncIterator()
    #expect(try await first.next() == [])
    for id in 1...200 {
      try await service.add(id, "boat")
      var late = service.observe(Self.names, as: String.self).makeAsyncIterator()
      #expect(try await late.next()?.count == id)
    }
  }

  @Test func `A slow consumer gets only the newest rows`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    var slow = service.observe(Self.names, as: String.self).makeAsyncIterator()
    #expect(try await slow.next() == [])
    var quick = service.observe(Self.names, as: String.self).makeAsyncIterator()
    for id in 1...20 { try await service.add(id, "boat") }
    while try await quick.next()?.count != 20 {}
    #expect(try await slow.next()?.count == 20)
  }

  @Test func `Rolled back changes are not delivered`() async throws {
    struct Refused: Error {}
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    var versions = service.observe(Self.names, as: String.self).makeAsyncIterator()
    #expect(try await versions.next() == [])
    try? await service.write { transaction in
      try transaction.insert(Boat(id: 1, name: "never"), into: "boat")
      throw Refused()
    }
    try await service.add(2, "Bea")
    #expect(try await versions.next() == ["Bea"])
  }

  static let changes: [(SQL, [String])] = [
    ("DELETE FROM boat", []),
    ("REPLACE INTO boat VALUES (1, 'Replaced')", ["Replaced"]),
    ("UPDATE boat SET name = 'Updated'", ["Updated"]),
    ("INSERT INTO harbour VALUES ('trigger')", ["Ada", "trigger"]),
    ("DELETE FROM owner", []),
    ("DROP VIEW fleet; CREATE VIEW fleet AS SELECT 9 AS id, 'view' AS name", ["view"]),
    ("INSERT INTO berth VALUES ('Pier', 2)", ["Ada", "Pier"]),
    ("DELETE FROM boat WHERE id = 1 RETURNING id", []),
  ]

  @Test(arguments: changes)
  func `Every kind of table change is observed, also through views`(
    _ change: SQL, _ expected: [String]
  ) async throws {
    let service = try await Store.file.open(
      directory,
      [
        Migration(
          "create",
          """
          CREATE TABLE owner (id INTEGER PRIMARY KEY);
          CREATE TABLE boat (id INTEGER PRIMARY KEY, name TEXT,
            owner INTEGER DEFAULT 1 REFERENCES owner ON DELETE CASCADE);
          CREATE TABLE harbour (name TEXT);
          CREATE TABLE berth (name TEXT PRIMARY KEY, id INTEGER) WITHOUT ROWID;
          CREATE TRIGGER arrival AFTER INSERT ON harbour
            BEGIN INSERT INTO boat (name) VALUES (new.name); END;
          CREATE VIEW fleet AS SELECT id, name FROM boat UNION ALL SELECT id, name FROM berth;
          INSERT INTO owner VALUES (1);
          INSERT INTO boat (name) VALUES ('Ada');
          """)
      ])
    var versions = service.observe("SELECT name FROM fleet ORDER BY id", as: String.self)
      .makeAsyncIterator()
    #expect(try await versions.next() == ["Ada"])
    // REPLACE names all columns of the table.
    let change =
      change.text.hasPrefix("REPLACE") ? "REPLACE INTO boat VALUES (1, 'Replaced', 1)" : change
    try await service.write { transaction in
      if change.text.contains("RETURNING") {
        _ = try transaction.rows(change, as: Int.self)
      } else {
        try transaction.execute(change)
      }
    }
    #expect(try await versions.next() == expected)
  }

  @Test func `A commit runs a query only if it changed a table that the query reads`() async throws
  {
    let service = try await SQLiteService(
      path: directory.file,
      migrations: boats + [Migration("crew", "CREATE TABLE crew (id INTEGER)")])
    let live = service.live
    var versions = service.observe(Self.names, as: String.self).makeAsyncIterator()
    #expect(try await versions.next() == [])
    // The queries to run are determined before a write returns.
    try await service.write { try $0.execute("INSERT INTO crew VALUES (1)") }
    try await service.write { try $0.execute("DELETE FROM boat WHERE id = 99") }
    #expect(live.fetchCount == 1)
    try await service.add(1, "Ada")
    #expect(live.fetchCount == 2)
    #expect(try await versions.next() == ["Ada"])
  }

  @Test func `A commit runs identical live queries once`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    let live = service.live
    var consumers = (0..<100).map { _ in
      service.observe(Self.names, as: String.self).makeAsyncIterator()
    }
    for index in consumers.indices { #expect(try await consumers[index].next() == []) }
    try await service.write { transaction in
      for id in 1...50 { try transaction.insert(Boat(id: id, name: "boat"), into: "boat") }
    }
    for index in consumers.indices { #expect(try await consumers[index].next()?.count == 50) }
    #expect(live.fetchCount == 2)
  }

  @Test func `Commits of other processes are observed`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    var versions = service.observe(Self.names, as: String.self).makeAsyncIterator()
    #expect(try await versions.next() == [])
    let other = directory.file
    try OtherProgram(other).run("INSERT INTO boat VALUES (1, 'Foreign')")
    #expect(try await versions.next() == ["Foreign"])
  }

  @Test func `Identical live queries share one query, and the last consumer ends it`() async throws
  {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    let live = service.live
    do {
      var consumers = (0..<100).map { _ in
        service.observe(Self.names, as: String.self).makeAsyncIterator()
      }
      let other = service.observe("SELECT id FROM boat", as: Int.self)
      #expect(live.count == 2)
      for index in consumers.indices { #expect(try await consumers[index].next() == []) }
      withExtendedLifetime(other) {}
    }
    #expect(live.count == 0)
  }

  @Test(arguments: Store.allCases)
  func `Texts that are equal in Swift but not in the database are different queries`(
    _ store: Store
  ) async throws {
    let service = try await store.open(directory, boats)
    let names = ["Ren\u{E9}", "Rene\u{301}"]
    try #require(names[0] == names[1])
    for (id, name) in names.enumerated() { try await service.add(id, name) }
    var versions = names.map { name in
      service.observe("SELECT id FROM boat WHERE name = \(name)", as: Int.self).makeAsyncIterator()
    }
    for id in names.indices { #expect(try await versions[id].next() == [id]) }
    // Here the texts are literals in the statement's text.
    let texts: [SQL] = [
      "SELECT id FROM boat WHERE name = 'Ren\u{E9}'",
      "SELECT id FROM boat WHERE name = 'Rene\u{301}'",
    ]
    let found = try await service.read { transaction in
      try texts.map { try transaction.row($0, as: Int.self) }
    }
    #expect(found == [0, 1])
  }

  @Test func `A live query with a NaN value leaves no state behind`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    do {
      let query = service.observe("SELECT id FROM boat WHERE id < \(Double.nan)", as: Int.self)
      var versions = query.makeAsyncIterator()
      await #expect(throws: PersistenceError.self) { try await versions.next() }
    }
    #expect(service.live.count == 0)
  }

  @Test func `A cancelled consumer is removed at once`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    let live = service.live
    let consumer = Task {
      var seen = 0
      for try await _ in service.observe(Self.names, as: String.self) { seen += 1 }
      return (seen, live.count)
    }
    await until { live.count != 0 }
    consumer.cancel()
    let (_, left) = try await consumer.value
    #expect(left == 0)
    try await service.add(1, "Ada")
  }

  @Test func `Closing the service ends live queries`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    var versions = service.observe(Self.names, as: String.self).makeAsyncIterator()
    #expect(try await versions.next() == [])
    try await service.close()
    #expect(try await versions.next() == nil)
    var late = service.observe(Self.names, as: String.self).makeAsyncIterator()
    #expect(try await late.next() == nil)
  }

  @Test func `A failed query throws to its consumer, and the service continues`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    var wrong = service.observe("SELECT nothing FROM boat", as: String.self).makeAsyncIterator()
    let error = await #expect(throws: PersistenceError.self) { try await wrong.next() }
    #expect(error?.kind == .statement)
    #expect(try await wrong.next() == nil)

    var versions = service.observe(Self.names, as: Int.self).makeAsyncIterator()
    #expect(try await versions.next() == [])
    try await service.add(1, "Ada")
    let decoding = await #expect(throws: PersistenceError.self) { try await versions.next() }
    #expect(decoding?.kind == .decoding)

    var again = service.observe(Self.names, as: String.self).makeAsyncIterator()
    #expect(try await again.next() == ["Ada"])
  }
}
