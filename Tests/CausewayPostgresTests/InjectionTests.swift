import CausewayData
import CausewayPostgres
import Foundation
import Testing

/// Texts that would change a statement or a copied row if they were spliced into it.
@Suite(.enabled(if: TestServer.isInstalled, TestServer.skipReason), .timeLimit(.minutes(5)))
struct InjectionTests {
  private static let hostile = [
    "'; DROP TABLE entry; --", "\"; DROP TABLE entry; --", "\\'; DROP TABLE entry; --",
    "$$; DROP TABLE entry; $$", "$body$; DROP TABLE entry;", "$1", "$2::text", "E'\\''",
    "U&'\\0027'", "\\.", "\n\\.\n", "\\N", "a\tb\r\n", "{\"a\",'b'}", "%s%I", "NULL", "/*",
    "\u{2019}; --", "\u{FF07}", "{\"a\": \"'\"}",
  ]

  enum Word: String, Codable, CaseIterable, Sendable {
    case quote = "'"
    case end = "'; DROP TABLE entry; --"
  }

  struct Nested: Codable, Equatable, Sendable { var text: String }

  struct Entry: Codable, Equatable, Sendable {
    var id: Int
    var text: String
    var bytes: Data
    var nested: Nested
    var list: [String]
    var word = Word.end
  }

  private func open(_ url: String) async throws -> PostgresService {
    try await PostgresService(
      url: url,
      migrations: [
        Migration(
          "create entry",
          """
          CREATE TABLE entry (
            id BIGINT PRIMARY KEY, text TEXT NOT NULL, bytes BYTEA NOT NULL, nested TEXT NOT NULL,
            list TEXT NOT NULL, word TEXT NOT NULL)
          """)
      ])
  }

  @Test func `Hostile values stay data in each kind of value`() async throws {
    let service = try await open(TestServer.shared.value.makeSchema())
    for text in Self.hostile {
      let texts: SQL = "SELECT \(text)::text UNION ALL SELECT \(text[...])::text"
      #expect(try await service.rows(texts, as: String.self) == [text, text])
      let bytes = Data(text.utf8)
      #expect(try await service.rows("SELECT \(bytes)", as: Data.self) == [bytes])
      #expect(try await service.rows("SELECT \(Array(bytes))", as: Data.self) == [bytes])
      let column: SQL = "SELECT 1 AS \(identifier: text)"
      #expect(try await service.rows(column, as: [String: Int].self) == [[text: 1]])
    }
    for word in Word.allCases {
      #expect(try await service.rows("SELECT \(word)::text", as: Word.self) == [word])
    }
    let listed = try await service.rows(
      "SELECT 1 WHERE \(Self.hostile[0]) IN \(list: Self.hostile)", as: Int.self)
    #expect(listed == [1])
    try await service.close()
  }

  @Test func `Hostile records stay data in statements and in a copy`() async throws {
    let service = try await open(TestServer.shared.value.makeSchema())
    let entries = (0..<100).map { (id: Int) -> Entry in
      let text = Self.hostile[id % Self.hostile.count]
      return Entry(
        id: id, text: text, bytes: Data(text.utf8), nested: Nested(text: text), list: [text, text])
    }
    try await service.write { transaction in
      try transaction.insert(entries, into: "entry")
      for entry in entries { try transaction.upsert(entry, into: "entry") }
    }
    let all: SQL = "SELECT * FROM entry ORDER BY id"
    #expect(try await service.rows(all, as: Entry.self) == entries)
    try await service.write { transaction in
      for entry in entries {
        let isDeleted = try transaction.delete(entry, from: "entry", key: ["text", "id"])
        #expect(isDeleted)
      }
    }
    #expect(try await service.rows(all, as: Entry.self) == [])
    try await service.close()
  }

  @Test func `A schema and tables with hostile names have live queries`() async throws {
    let shared = try await TestServer.shared.value
    let admin = try await open(shared.makeSchema())
    try await admin.write { try $0.execute("CREATE SCHEMA \(identifier: "o'clock$body$%s")") }
    try await admin.close()
    let service = try await open(shared.url(schema: "%22o%27clock%24body%24%25s%22"))
    #expect(
      try await service.rows("SELECT current_schema()", as: String.self) == ["o'clock$body$%s"])
    for name in Self.hostile {
      try await service.write {
        try $0.execute("CREATE TABLE \(identifier: name) (id BIGINT NOT NULL)")
      }
      var counts = service.observe("SELECT count(*) FROM \(identifier: name)", as: Int.self)
        .makeAsyncIterator()
      #expect(try await counts.next() == [0])
      try await service.write { try $0.execute("INSERT INTO \(identifier: name) VALUES (1)") }
      #expect(try await counts.next() == [1])
    }
    try await service.close()
  }
}
