import CausewayData
import CausewaySQLite
import Foundation
import TestSupport
import Testing

@testable import CausewayStores

private struct Draft: Codable, Equatable, Sendable {
  var title: String
}

/// Rule 12 for a store over a database: a damaged row is moved aside and reported, and does not
/// affect other rows.
@Suite("Damaged rows of a store", .timeLimit(.minutes(10))) struct DamagedRowTests {
  /// The content of the table of damaged rows.
  private struct Aside: Decodable, Equatable {
    var key: String
    var value: String
    var type: String
  }

  private let service: InMemoryPersistenceService
  private let reports = Log<PersistenceError>()
  private let good = StoreChanges(updated: [1: Draft(title: "one"), 2: Draft(title: "two")])

  init() throws {
    service = try InMemoryPersistenceService(migrations: [
      DatabaseBacking<Int, Draft>.migration(table: "draft")
    ])
  }

  private func backing() -> DatabaseBacking<Int, Draft> {
    DatabaseBacking(service, table: "draft") { [reports] in reports.append($0) }
  }

  private func put(_ key: SQLValue, _ value: SQLValue) async throws {
    try await service.write {
      try $0.execute("INSERT OR REPLACE INTO draft VALUES (\(key), \(value))")
    }
  }

  private func aside() async throws -> [Aside] {
    try await service.read {
      try $0.rows(
        """
        SELECT hex(key) AS key, hex(value) AS value, typeof(value) AS type FROM draft_damaged
        ORDER BY date, key
        """, as: Aside.self)
    }
  }

  private func count(_ table: String) async throws -> Int? {
    try await service.read {
      try $0.row("SELECT count(*) FROM \(identifier: table)", as: Int.self)
    }
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(format: "%02X", $0) }.joined()
  }

  private nonisolated static let damages: [(key: SQLValue, value: SQLValue)] = [
    (.text("7"), .text("{}")), (.text("7"), .text("{\"title\": 1}")), (.text("7"), .text("")),
    (.text("7"), .text("{\"title\": \"cut o")), (.text("seven"), .text("{\"title\": \"a\"}")),
    (.text("7"), .blob([0xFF, 0x00, 0xFE])), (.blob([0x80, 0x81]), .text("{\"title\": \"a\"}")),
    (.text(""), .blob([])), (.text("'7\""), .text("'; DROP TABLE draft --")),
  ]

  @Test(arguments: damages.indices)
  func `a damaged row is kept and reported, and the other rows are loaded`(
    index: Int
  ) async throws {
    let (key, value) = Self.damages[index]
    try await backing().save(good)
    try await put(key, value)
    #expect(try await backing().load() == good.updated)
    #expect(reports.all.map(\.kind) == [.decoding])
    #expect(reports.all.first?.message.contains("draft_damaged") == true)
    let aside = try await aside()
    #expect(aside.map(\.key) == [Self.hex(key.bytes)])
    #expect(aside.map(\.value) == [Self.hex(value.bytes)])
    if case .blob = value { #expect(aside.map(\.type) == ["blob"]) }
    // The row is moved aside only once.
    #expect(try await backing().load() == good.updated)
    #expect(reports.all.count == 1)
    #expect(try await count("draft") == 2)
    try await service.close()
  }

  @Test func `a row with invalid text is moved aside, and the other rows are loaded`() async throws
  {
    try await backing().save(good)
    try await service.write {
      try $0.execute("UPDATE draft SET value = CAST(x'7B22FF' AS TEXT) WHERE key = '1'")
    }
    #expect(try await backing().load() == [2: Draft(title: "two")])
    #expect(try await aside() == [Aside(key: "31", value: "7B22FF", type: "text")])
    try await service.close()
  }

  @Test
  func `many damaged rows cause one report, and only the newest damaged row of a key is kept`()
    async throws
  {
    for round in 1...2 {
      for key in 1...50 { try await put(.text("\(key)"), .text("{\(round)")) }
      #expect(try await backing().load() == [:])
    }
    #expect(reports.all.count == 2)
    #expect(reports.all.first?.message.hasPrefix("Damaged rows in the table draft: 50,") == true)
    #expect(try await Set(aside().map(\.value)) == [Self.hex("{2".utf8)])
    #expect(try await count("draft_damaged") == 50)
    try await service.close()
  }

  @Test func `rows that cannot be moved aside stay, and the other rows are loaded`() async throws {
    try await backing().save(good)
    try await put(.text("7"), .text("{}"))
    try await service.write {
      try $0.execute(
        """
        CREATE TRIGGER refuse BEFORE DELETE ON draft BEGIN SELECT RAISE(ABORT, 'no'); END
        """)
    }
    #expect(try await backing().load() == good.updated)
    #expect(reports.all.first?.message.contains("could not be set aside") == true)
    #expect(try await count("draft") == 3)
    try await service.write { try $0.execute("DROP TRIGGER refuse") }
    #expect(try await backing().load() == good.updated)
    #expect(try await aside().map(\.key) == ["37"])
    try await service.close()
  }

  @Test func `a table that cannot be read throws an error and does not count as empty`()
    async throws
  {
    try await service.write { try $0.execute("DROP TABLE draft") }
    await #expect(throws: PersistenceError.self) { try await backing().load() }
    #expect(reports.all.isEmpty)
    try await service.close()
  }

  @MainActor
  @Test func `a store starts with the undamaged rows, and a damaged row's key can be used again`()
    async throws
  {
    try await backing().save(good)
    try await put(.text("1"), .text("{"))
    let store = ObservableStore(backing: backing())
    try await store.waitUntilLoaded()
    #expect(store.keys == [2])
    store[1] = Draft(title: "new")
    try await store.close()
    #expect(try await backing().load() == [1: Draft(title: "new"), 2: Draft(title: "two")])
    #expect(try await aside().map(\.value) == [Self.hex("{".utf8)])
    try await service.close()
  }

  @MainActor
  @Test(arguments: [true, false])
  func `the end of a session removes damaged rows too`(isLoaded: Bool) async throws {
    try await backing().save(good)
    try await put(.text("7"), .text("a secret of ada's"))
    let session = SessionService(account: "ada")
    let store = ObservableStore(backing: backing())
    if isLoaded { try await store.waitUntilLoaded() }
    session.add(store.participant)
    try await session.logout()
    #expect(try await count("draft") == 0)
    let tables = try await service.read {
      try $0.rows("SELECT name FROM sqlite_schema WHERE type = 'table'", as: String.self)
    }
    #expect(!tables.contains("draft_damaged"))
    try await store.close()
    try await service.close()
  }
}

extension SQLValue {
  fileprivate var bytes: [UInt8] {
    switch self {
    case .text(let text): Array(text.utf8)
    case .blob(let bytes): bytes
    default: []
    }
  }
}
