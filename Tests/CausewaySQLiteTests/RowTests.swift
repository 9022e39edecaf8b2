import CausewayData
import CausewaySQLite
import Foundation
import Testing

@Suite struct RowTests {
  enum Kind: String, Codable { case sail, motor }

  struct Engine: Codable, Equatable {
    var power: Double
    var fuels: [String]
  }

  struct Everything: Codable, Equatable, Sendable {
    var id: UUID
    var flag: Bool
    var small: Int8
    var large: UInt64
    var ratio: Float
    var real: Double
    var name: String
    var made: Date
    var bytes: [UInt8]
    var data: Data
    var kind: Kind
    var link: URL
    var note: String?
    var count: Int?
    var refit: Date?
    var engine: Engine
    var empty: [Int]
  }

  let service: InMemoryPersistenceService

  init() throws {
    service = try InMemoryPersistenceService(migrations: [
      Migration(
        "create",
        """
        CREATE TABLE thing (
          id TEXT PRIMARY KEY, flag INTEGER, small INTEGER, large INTEGER, ratio REAL, real REAL,
          name TEXT, made REAL, bytes BLOB, data BLOB, kind TEXT, link TEXT, note TEXT,
          count INTEGER, refit REAL, engine TEXT, empty TEXT) STRICT
        """)
    ])
  }

  func everything() throws -> Everything {
    Everything(
      id: UUID(), flag: true, small: -128, large: UInt64(Int64.max), ratio: 0.1, real: .pi,
      name: "né\u{0}z", made: Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7),
      bytes: [], data: Data([0, 255]), kind: .motor,
      link: try #require(URL(string: "https://localhost/a?b=c")), note: nil, count: 3,
      refit: Date(timeIntervalSinceReferenceDate: -1e-9),
      engine: Engine(power: 1.5, fuels: ["oil", "sun"]), empty: [])
  }

  @Test func `Every storable type is read with its written value, dates to the last bit`()
    async throws
  {
    let thing = try everything()
    try await service.write { try $0.insert(thing, into: "thing") }
    let found = try await service.read { try $0.row("SELECT * FROM thing", as: Everything.self) }
    #expect(found == thing)
    let bound = try await service.read {
      try $0.row(
        "SELECT count(*) FROM thing WHERE id = \(thing.id) AND made = \(thing.made) AND kind = \(Kind.motor)",
        as: Int.self)
    }
    #expect(bound == 1)
  }

  @Test func `Columns are found by name in any order, for each row`() async throws {
    let boats = try await service.read {
      try $0.rows(
        "SELECT 'Ada' AS name, 1 AS id, 0 AS more UNION ALL SELECT 'Bea', 2, 0", as: Boat.self)
    }
    #expect(boats == [Boat(id: 1, name: "Ada"), Boat(id: 2, name: "Bea")])
  }

  @Test func `Single values decode from the first column`() async throws {
    let day = Date(timeIntervalSinceReferenceDate: 5)
    let found = try await service.read { transaction in
      (
        try transaction.row("SELECT \(day)", as: Date.self),
        try transaction.row("SELECT 'sail'", as: Kind.self),
        try transaction.rows("SELECT NULL UNION ALL SELECT 2", as: Int?.self)
      )
    }
    #expect(found.0 == day)
    #expect(found.1 == .sail)
    #expect(found.2 == [nil, 2])
  }

  @Test(arguments: [
    ("SELECT 1 AS id" as SQL, "No column is named \"name\""),
    ("SELECT 1 AS id, 2 AS id, 'a' AS name", "Several columns are named \"id\""),
    ("SELECT NULL AS id, 'a' AS name", "Column \"id\" holds NULL where an integer is needed"),
    ("SELECT 'x' AS id, 'a' AS name", "Column \"id\" holds text where an integer is needed"),
    ("SELECT 1.5 AS id, 'a' AS name", "Column \"id\" holds a real number"),
  ])
  func `The error of a row that does not decode names the column and the fault`(
    _ query: SQL, _ message: String
  ) async throws {
    let error = await #expect(throws: PersistenceError.self) {
      _ = try await service.read { try $0.rows(query, as: Boat.self) }
    }
    #expect(error?.kind == .decoding)
    #expect(error?.message.contains(message) == true)
    #expect(error?.sql == query.text)
  }

  @Test func `An integer out of range of its type throws an error`() async throws {
    let kind = await failure {
      _ = try await service.read { try $0.row("SELECT 300", as: UInt8.self) }
    }
    #expect(kind == .decoding)
    var thing = try everything()
    thing.large = UInt64.max
    let tooLarge = thing
    let encoding = await failure {
      try await service.write { try $0.insert(tooLarge, into: "thing") }
    }
    #expect(encoding == .encoding)
  }

  @Test func `NaN is an error and not NULL`() async throws {
    var thing = try everything()
    thing.real = .nan
    let stored = thing
    #expect(
      await failure { try await service.write { try $0.insert(stored, into: "thing") } }
        == .encoding)
    let bound = await failure {
      try await service.read { try $0.row("SELECT \(Double.nan)", as: Double?.self) }
    }
    #expect(bound == .encoding)
  }

  @Test func `Records with absent values share one prepared statement`() async throws {
    let things = try (0..<3).map { index in
      var thing = try everything()
      thing.note = index == 1 ? "note" : nil
      return thing
    }
    try await service.write { try $0.insert(things, into: "thing") }
    let notes = try await service.read {
      try $0.rows("SELECT note FROM thing ORDER BY rowid", as: String?.self)
    }
    #expect(notes == [nil, "note", nil])
  }

  @Test func `A result is read with the new columns after a schema change`() async throws {
    struct Wide: Decodable, Sendable, Equatable { var id: Int, extra: Int? }
    try await service.write {
      try $0.execute("CREATE TABLE wide (id INTEGER); INSERT INTO wide VALUES (1)")
    }
    let before = try await service.read { try $0.rows("SELECT * FROM wide", as: Wide.self) }
    try await service.write {
      try $0.execute("ALTER TABLE wide ADD COLUMN extra INTEGER DEFAULT 5")
    }
    let after = try await service.read { try $0.rows("SELECT * FROM wide", as: Wide.self) }
    #expect(before == [Wide(id: 1, extra: nil)])
    #expect(after == [Wide(id: 1, extra: 5)])
  }

  /// Some texts are as long as their replacement characters.
  ///
  /// Some are so short that a `String` stores them without an allocation.
  @Test(arguments: [
    "FF", "C3", "F09F98", "EDA080", "C0AF", "61FF62", "6120746578742074686174206973206C6F6E67FF",
    "6120746578742074686174206973206C6F6E67F09F98",
  ]) func `A text that is not UTF-8 is an error`(bytes: String) async throws {
    let error = await #expect(throws: PersistenceError.self) {
      try await service.read {
        try $0.row(SQL(unchecked: "SELECT CAST(x'\(bytes)' AS TEXT)"), as: String.self)
      }
    }
    #expect(error?.kind == .decoding)
  }

  @Test(arguments: [
    "", "\u{0}", "\u{FFFD}", "a\u{FFFD}\u{0}z", "é", "e\u{301}", "a text that is long é\u{FFFD}",
  ]) func `A text keeps its bytes`(text: String) async throws {
    let read = try await service.read { try $0.row("SELECT \(text)", as: String.self) }
    #expect(read.map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test func `A record may encode its columns in several containers`() async throws {
    struct Boat: Encodable, Sendable {
      enum Key: CodingKey { case id }
      enum NameKey: CodingKey { case name }

      var id: Int
      var name: String

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        var names = encoder.container(keyedBy: NameKey.self)
        try names.encode(name, forKey: .name)
      }
    }
    let names = try await service.write {
      try $0.execute("CREATE TABLE boat (id INTEGER, name TEXT)")
      try $0.insert((0..<3).map { Boat(id: $0, name: "boat \($0)") }, into: "boat")
      return try $0.rows("SELECT id || ' ' || name FROM boat ORDER BY id", as: String.self)
    }
    #expect(names == ["0 boat 0", "1 boat 1", "2 boat 2"])
  }
}
