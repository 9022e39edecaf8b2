import CausewayData
import CausewaySQLite
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Values of other programs` {
  private struct Device: Codable, Equatable, Sendable {
    var id: UUID
    var owner: UUID?
    var name: String
  }

  private static let first = UUID(
    uuid: (
      0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF
    ))
  private static let blob = "X'00112233445566778899AABBCCDDEEFF'"
  private static let lower = "'00112233-4455-6677-8899-aabbccddeeff'"
  private static let upper = "'00112233-4455-6677-8899-AABBCCDDEEFF'"

  private func open(id: String, owner: String = "NULL") throws -> InMemoryPersistenceService {
    try InMemoryPersistenceService(migrations: [
      Migration(
        "devices",
        SQL(
          unchecked: """
            CREATE TABLE device (id PRIMARY KEY, owner, name TEXT);
            INSERT INTO device VALUES (\(id), \(owner), 'first');
            """))
    ])
  }

  @Test(arguments: [blob, lower, upper])
  func `UUIDs of other programs are read in each form`(form: String) async throws {
    let service = try open(id: form)
    let found = try await service.read { try $0.rows("SELECT * FROM device", as: Device.self) }
    #expect(found == [Device(id: Self.first, name: "first")])
  }

  @Test(arguments: [blob, lower, upper])
  func `texts that look like UUIDs are stored and compared as they are`(form: String) async throws {
    let service = try open(id: form, owner: Self.lower)
    let keys = [UUID().uuidString, UUID().uuidString.lowercased()]
    for key in keys {
      let found = try await service.write { transaction in
        try transaction.execute("INSERT INTO device VALUES (\(key), \(key), \(key))")
        return try transaction.row(
          "SELECT id || owner || name FROM device WHERE id = \(key) AND owner = \(key)",
          as: String.self)
      }
      #expect(found == key + key + key)
    }
  }

  @Test(arguments: [blob, lower])
  func `a UUID that a column has in another form is refused and not missed`(
    form: String
  ) async throws {
    let service = try open(id: form)
    let (id, other) = (Self.first, UUID())
    try await service.write {
      try $0.execute(
        SQL(
          unchecked:
            "INSERT INTO device VALUES (X'\(String(repeating: "00", count: 16))', NULL, 'x')"))
      try $0.execute("CREATE TABLE owned (id PRIMARY KEY, device)")
    }
    let words = form == Self.blob ? "as 16 bytes" : "in lower case"
    func refusal(_ body: @escaping @Sendable (any WriteTransaction) throws -> Void) async {
      let error = await #expect(throws: PersistenceError.self) { try await service.write(body) }
      #expect(error?.kind == .statement)
      #expect(
        error?.message.contains("\"id\" of \"device\" has this UUID \(words)") == true,
        "\(String(describing: error))")
    }
    for query in [
      "SELECT * FROM device WHERE id = \(id)",
      "SELECT count(*) FROM device d WHERE d.\"id\" == \(id)",
      "select name from DEVICE where (name > '' and ID is \(id)) limit 1",
      "SELECT * FROM device WHERE id IN \(list: [other, id]) AND name = 'first'",
      "SELECT * FROM device WHERE id <> \(id) ORDER BY id",
      "SELECT * FROM device WHERE name = 'a' OR NOT id != \(id)",
      "SELECT * FROM device WHERE id IS NOT \(id)",
      "SELECT * FROM device WHERE [id] NOT IN (\(other), \(id))",
    ] as [SQL] {
      await refusal { _ = try $0.rows(query, as: String?.self) }
      await #expect(throws: PersistenceError.self, "\(query)") {
        try await service.read { try $0.row(query, as: String?.self) }
      }
    }
    await refusal { try $0.execute("UPDATE device SET owner = NULL WHERE id = \(id)") }
    await refusal { try $0.execute("UPDATE OR IGNORE device SET name = '' WHERE id = \(id)") }
    await refusal { try $0.execute("DELETE FROM device WHERE id = \(id)") }
    await refusal { try $0.delete(Device(id: id, name: ""), from: "device") }
    await refusal { try $0.upsert(Device(id: id, name: "twice"), into: "device") }
    // These queries may find the UUID in any form, or do not compare it with a column.
    for query in [
      "SELECT count(*) FROM device WHERE lower(id) = lower(\(id))",
      "SELECT count(*) FROM device WHERE hex(id) <> \(id)",
      "SELECT count(*) FROM device WHERE id = \(id) COLLATE NOCASE",
      "SELECT count(*) FROM device WHERE id COLLATE NOCASE = \(id)",
      "SELECT count(*) FROM (SELECT upper(id) AS id FROM device) WHERE id = \(id)",
      "SELECT count(*) FROM device WHERE id || '' > \(id)",
      "SELECT count(*) FROM owned WHERE device = \(id)",
      "SELECT count(*) FROM device WHERE owner = \(id) OR id = \(other)",
      "SELECT count(*) FROM device WHERE id = \(id.uuidString)",
    ] as [SQL] {
      _ = try await service.read { try $0.row(query, as: Int.self) }
    }
    try await service.write { transaction in
      try transaction.execute("UPDATE device SET owner = \(id) WHERE name = 'first'")
      try transaction.execute("INSERT INTO owned VALUES (\(other), \(id))")
      try transaction.insert(Device(id: other, name: "other"), into: "device")
      try transaction.upsert(Device(id: other, name: "other"), into: "device")
      #expect(
        try transaction.row("SELECT name FROM device WHERE id = \(other)", as: String.self)
          == "other")
    }
  }

  @Test(arguments: [blob, lower])
  func `queries of results, of views and of each form are not refused`(form: String) async throws {
    let service = try open(id: form)
    let id = Self.first
    try await service.write { transaction in
      try transaction.execute("ALTER TABLE device ADD COLUMN \"Übung\" TEXT")
      try transaction.execute(
        SQL(unchecked: "CREATE VIEW seen AS SELECT '\(id.uuidString)' AS id"))
    }
    let bytes = withUnsafeBytes(of: id.uuid) { Data($0) }
    let text = id.uuidString.lowercased()
    let queries: [(SQL, Int)] = [
      ("SELECT count(*), \(id) AS key FROM device WHERE key = \(id)", 1),
      ("SELECT count(*) FROM device WHERE Übung = \(id)", 0),
      ("SELECT count(*) FROM device WHERE id = \(id) OR id = \(bytes) OR id = \(text)", 1),
      ("SELECT count(*) FROM device WHERE id IN (\(id), \(bytes), \(text))", 1),
      ("SELECT count(*) FROM seen WHERE id = \(id)", 1),
    ]
    for (query, count) in queries {
      let found = try await service.read { try $0.row(query, as: Int.self) }
      #expect(found == count, "\(query)")
    }
    try await service.write { transaction in
      try transaction.execute("CREATE TABLE archive (id PRIMARY KEY, owner)")
      try transaction.execute(
        """
        INSERT INTO archive SELECT id, owner FROM device WHERE true
        ON CONFLICT (id) DO UPDATE SET owner = NULL WHERE owner = \(id)
        """)
      // The usual form is there too, and is found.
      try transaction.execute("INSERT INTO device (id, name) VALUES (\(id), 'second')")
      try transaction.execute("DELETE FROM device WHERE id = \(id)")
      #expect(try transaction.row("SELECT name FROM device", as: String.self) == "first")
    }
  }

  @Test func `a list of many UUIDs is compared in linear time`() async throws {
    let service = try open(id: Self.upper)
    let ids = (0..<20_000).map { _ in UUID() } + [Self.first]
    let found = try await service.read {
      try $0.row("SELECT count(*) FROM device WHERE id IN \(list: ids)", as: Int.self)
    }
    #expect(found == 1)
  }

  @Test func `a column that ignores case finds a UUID in lower and in upper case`() async throws {
    let service = try InMemoryPersistenceService(migrations: [
      Migration("tags", "CREATE TABLE tag (id TEXT COLLATE NOCASE PRIMARY KEY)")
    ])
    let ids = [UUID(), UUID()]
    let found = try await service.write { transaction in
      // The table is empty when the statement is compiled.
      let query = { (id: UUID) -> SQL in "SELECT count(*) FROM tag WHERE id = \(id)" }
      _ = try transaction.row(query(ids[0]), as: Int.self)
      try transaction.execute("INSERT INTO tag VALUES (\(ids[0].uuidString.lowercased()))")
      try transaction.execute("INSERT INTO tag VALUES (\(ids[1]))")
      return try ids.map { try transaction.row(query($0), as: Int.self) }
    }
    #expect(found == [1, 1])
  }

  @Test func `milliseconds in a column of real numbers are no date`() async throws {
    let service = try InMemoryPersistenceService(migrations: [
      Migration("days", "CREATE TABLE day (start REAL)", "INSERT INTO day VALUES (1796180400500)")
    ])
    let read = await failure {
      try await service.read { try $0.row("SELECT start FROM day", as: Date.self) }
    }
    #expect(read == .decoding)
    let late = Date(timeIntervalSince1970: 1_796_180_400_500)
    let written = await failure {
      try await service.write { try $0.execute("INSERT INTO day VALUES (\(late))") }
    }
    #expect(written == .encoding)
  }

  @Test(
    arguments: [
      "1796180400", "1796180400500", "0", "'2026-11-29 03:00:00.000'", "'2026-11-29T03:00:00Z'",
      "X'00'", "9e999",
    ])
  func `a date in another form is refused and not misread`(value: String) async throws {
    let service = try InMemoryPersistenceService(migrations: [])
    let error = await #expect(throws: PersistenceError.self) {
      try await service.read {
        try $0.row(SQL(unchecked: "SELECT \(value) AS day"), as: Date.self)
      }
    }
    #expect(error?.kind == .decoding)
    #expect(error?.message.contains("Column \"day\"") == true)
  }

  @Test func `a whole second is read from a column of real numbers`() async throws {
    let service = try InMemoryPersistenceService(migrations: [
      Migration("days", "CREATE TABLE day (start REAL)", "INSERT INTO day VALUES (86400)")
    ])
    let days = try await service.read {
      try $0.rows("SELECT max(start) FROM day UNION ALL SELECT start FROM day", as: Date.self)
    }
    #expect(days == [Date](repeating: Date(timeIntervalSinceReferenceDate: 86_400), count: 2))
  }

  @Test(arguments: ["TIMESTAMP", "DATETIME", "NUMERIC", "DATE"])
  func `a whole second is read from a column that stores it as an integer`(
    type: String
  ) async throws {
    struct Row: Codable, Equatable, Sendable { var start: Date }
    let service = try InMemoryPersistenceService(migrations: [
      Migration("days", SQL(unchecked: "CREATE TABLE day (start \(type))"))
    ])
    let row = Row(start: Date(timeIntervalSinceReferenceDate: 86_400))
    let found = try await service.write { transaction in
      try transaction.insert(row, into: "day")
      return try transaction.rows("SELECT * FROM (SELECT * FROM day)", as: Row.self)
    }
    #expect(found == [row])
    // The milliseconds of another program.
    try await service.write { try $0.execute("UPDATE day SET start = 1796180400500") }
    #expect(
      await failure { try await service.read { try $0.rows("SELECT * FROM day", as: Row.self) } }
        == .decoding)
  }

  @Test(arguments: ["INTEGER", "INT8", ""])
  func `an integer in another column is not a date`(type: String) async throws {
    let service = try InMemoryPersistenceService(migrations: [
      Migration(
        "days", SQL(unchecked: "CREATE TABLE day (start \(type))"),
        "INSERT INTO day VALUES (1796180400)")
    ])
    #expect(
      await failure {
        try await service.read { try $0.row("SELECT start FROM day", as: Date.self) }
      } == .decoding)
  }
}
