import CausewayData
import Synchronization
import TestSupport
import Testing

@testable import CausewaySQLite

@Suite(.timeLimit(.minutes(10))) struct DecodedRowsTests {
  /// Counts how many of its rows were decoded.
  private struct Boat: Decodable, Equatable, Sendable {
    static let decoded = Atomic(0)
    var id: Int
    var name: String

    private enum CodingKeys: String, CodingKey { case id, name }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      id = try values.decode(Int.self, forKey: .id)
      name = try values.decode(String.self, forKey: .name)
      Self.decoded.add(1, ordering: .relaxed)
    }
  }

  @Test func `A live query decodes only the changed rows again`() async throws {
    let directory = try TemporaryDirectory()
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    for id in 1...100 { try await service.add(id, "boat \(id)") }
    var versions = service.observe("SELECT id, name FROM boat ORDER BY id", as: Boat.self)
      .makeAsyncIterator()
    #expect(try await versions.next()?.count == 100)
    Boat.decoded.store(0, ordering: .relaxed)
    try await service.write { try $0.execute("UPDATE boat SET name = 'Ada' WHERE id = 50") }
    #expect(try await versions.next()?[49].name == "Ada")
    try await service.write { try $0.execute("DELETE FROM boat WHERE id = 10") }
    #expect(try await versions.next()?.count == 99)
    try await service.add(10, "Bea")
    #expect(try await versions.next()?[9].name == "Bea")
    #expect(Boat.decoded.load(ordering: .relaxed) == 2)
  }

  /// The values of a cell that are easily confused.
  private static let values: [SQL] = [
    "NULL", "0", "1", "''", "'0'", "'1'", "x'30'", "x''", "0.0", "-0.0", "1.0", "1e300", "'a'",
  ]

  private struct Cell: Decodable, Equatable, Sendable {
    var type: String
    var value: String
  }

  @Test(arguments: 0..<8)
  func `After any changes, a live query has the rows of a new query`(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let directory = try TemporaryDirectory()
    let file = try await SQLiteService(
      path: directory.file,
      migrations: [Migration("cells", "CREATE TABLE cell (place REAL, value)")])
    let query: SQL = """
      SELECT typeof(value) AS type, quote(value) AS value FROM cell ORDER BY place, rowid
      """
    var versions = file.observe(query, as: Cell.self).makeAsyncIterator()
    var shown = try await versions.next()
    for _ in 0..<60 {
      let before = shown
      let changes = (0..<Int.random(in: 1...4, using: &random)).map { _ -> SQL in
        let place = Int.random(in: 0..<30, using: &random)
        let value = Self.values.randomElement(using: &random) ?? "NULL"
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return "DELETE FROM cell WHERE place = \(place)"
        case 1: return "UPDATE cell SET value = \(value) WHERE place = \(place)"
        case 2: return "UPDATE cell SET place = (place * 7) % 30 WHERE place = \(place)"
        default: return "INSERT INTO cell VALUES (\(place), \(value))"
        }
      }
      try await file.write { transaction in
        for change in changes { try transaction.execute(change) }
      }
      let expected = try await file.read { try $0.rows(query, as: Cell.self) }
      if expected != before { shown = try await versions.next() }
      #expect(shown == expected)
    }
  }
}
