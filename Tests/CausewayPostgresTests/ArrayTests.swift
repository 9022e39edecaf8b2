import CausewayData
import CausewayPostgres
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: TestServer.isInstalled, TestServer.skipReason), .timeLimit(.minutes(5)))
struct `Columns of arrays` {
  private struct Row: Codable, Equatable, Sendable {
    var id: Int
    var words: [String?]
    var numbers: Set<Int>?
    var grid: [[Double]]
    var ids: [UUID]
    var days: [Date]
    var flags: [Bool]
    var prices: [Decimal]
    var blobs: [Data]
    var notes: [String]
    var list: [String: [Int]]
  }

  private static let migrations = [
    Migration(
      "rows",
      """
      CREATE TYPE mood AS ENUM ('ok', 'not ok');
      CREATE TABLE item (
        id BIGINT PRIMARY KEY, words TEXT[] NOT NULL, numbers BIGINT[], grid FLOAT8[] NOT NULL,
        ids UUID[] NOT NULL, days TIMESTAMPTZ[] NOT NULL, flags BOOLEAN[] NOT NULL,
        prices NUMERIC[] NOT NULL, blobs BYTEA[] NOT NULL, notes JSONB NOT NULL, list JSONB NOT NULL,
        moods mood[] NOT NULL DEFAULT '{}')
      """)
  ]

  private func open() async throws -> PostgresService {
    try await PostgresService(
      url: TestServer.shared.value.makeSchema(), migrations: Self.migrations)
  }

  private func row(_ id: Int) -> Row {
    Row(
      id: id, words: ["a", nil, "", "NULL", "b,{}\"\\ ü\n🛶", "\u{1}'"],
      numbers: id.isMultiple(of: 3) ? nil : [id, -1, .max], grid: [[1, 2.5], [-3e-7, 0]],
      ids: [UUID(), UUID()], days: [Date(timeIntervalSinceReferenceDate: 812_345_678.25)],
      flags: [true, false], prices: [Decimal(string: "12345678901.10") ?? 0],
      blobs: [Data(), Data([0, 92, 255])], notes: ["[x", "y"], list: ["k": [1]])
  }

  @Test func `are read as they were stored, by statements and in bulk`() async throws {
    let service = try await open()
    let rows = (0..<150).map(row)
    try await service.write { try $0.insert(rows, into: "item") }
    #expect(try await service.rows("SELECT * FROM item ORDER BY id", as: Row.self) == rows)
    var changed = row(1)
    (changed.words, changed.grid, changed.ids) = ([], [], [])
    let (wanted, ids) = (changed, rows.map(\.id))
    try await service.write { try $0.upsert(wanted, into: "item") }
    try await service.read { transaction throws in
      #expect(try transaction.row("SELECT * FROM item WHERE id = 1", as: Row.self) == wanted)
      // The server itself sees arrays.
      #expect(
        try transaction.row("SELECT cardinality(grid) FROM item WHERE id = 2", as: Int.self) == 4)
      #expect(
        try transaction.row(
          "SELECT count(*) FROM item WHERE id = ANY(\(array: ids))", as: Int.self) == 150)
    }
    try await service.close()
  }

  @Test func `are bound as one value of any length`() async throws {
    let service = try await open()
    try await service.write { [row = row(1)] in try $0.insert(row, into: "item") }
    let (words, row) = (["x", "b,{}\"\\ ü\n🛶"], row(1))
    let day = row.days[0]
    let many = Array(0..<70_000)
    let stored = try await service.read { try $0.row("SELECT * FROM item", as: Row.self) }
    let ids = try #require(stored).ids
    for condition in [
      "words && \(array: words)", "ids @> \(array: ids)", "id = ANY(\(array: many))",
      "days = \(array: [day])", "flags <> \(array: [true])", "prices = \(array: row.prices)",
      "blobs[2] = ANY(\(array: row.blobs))", "NOT id = ANY(\(array: [Int]()))",
      "grid[2][1] = ANY(\(array: [-3e-7]))",
    ] as [SQL] {
      let query: SQL = "SELECT count(*) FROM item WHERE \(condition)"
      #expect(
        try await service.read { try $0.row(query, as: Int.self) } == 1, "\(condition.text)")
      #expect(try await service.rows(query, as: Int.self) == [1], "\(condition.text)")
    }
    try await service.close()
  }

  @Test func `are decoded as lists of other types`() async throws {
    enum Mood: String, Codable { case ok, bad = "not ok" }
    let service = try await open()
    try await service.read { transaction throws in
      #expect(try transaction.row("SELECT ARRAY[1, 2]", as: [Int].self) == [1, 2])
      #expect(
        try transaction.rows("SELECT ARRAY['not ok', 'ok']::mood[]", as: [Mood].self)
          == [[.bad, .ok]])
      #expect(try transaction.row("SELECT '[5:6]={7,8}'::int[]", as: Set<Int8>.self) == [7, 8])
      #expect(try transaction.row("SELECT '{}'::text[]", as: [String].self) == [])
      #expect(try transaction.row("SELECT NULL::text[]", as: [String]?.self) == .some(nil))
      for query in [
        "SELECT ARRAY['a']", "SELECT ARRAY[1, NULL]", "SELECT ARRAY['NaN'::float8]", "SELECT '{1'",
        "SELECT '{1}}'", "SELECT '{1,}'", "SELECT ARRAY[300]",
      ] as [SQL] {
        #expect(throws: PersistenceError.self) { try transaction.row(query, as: [Int8].self) }
      }
    }
    try await service.close()
  }
}
