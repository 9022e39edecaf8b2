import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewaySQLite

/// After any commits, a live query that is followed has the rows of a new query.
@Suite(.timeLimit(.minutes(15))) struct FollowingTests {
  /// All columns of a row with their types.
  struct Cells: Decodable, Equatable, Sendable {
    var cells: [String: String] = [:]

    private struct Name: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      let row = try decoder.container(keyedBy: Name.self)
      for name in row.allKeys {
        cells[name.stringValue] =
          if try row.decodeNil(forKey: name) {
            "NULL"
          } else if let text = try? row.decode(String.self, forKey: name) {
            "text \(Array(text.utf8))"
          } else if let bytes = try? row.decode(Data.self, forKey: name) {
            "blob \(Array(bytes))"
          } else {
            "number \(try row.decode(Double.self, forKey: name).bitPattern)"
          }
      }
    }
  }

  static let migrations = [
    Migration(
      "create",
      """
      CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE thing (
        id INTEGER PRIMARY KEY, name TEXT, size, code INTEGER UNIQUE, flag INTEGER CHECK (flag < 9),
        owner INTEGER REFERENCES owner ON DELETE CASCADE ON UPDATE SET NULL);
      CREATE TABLE plain (name TEXT UNIQUE, size, flag INTEGER);
      CREATE TABLE noted (id INTEGER PRIMARY KEY, name TEXT, size, flag INTEGER, code UNIQUE);
      CREATE TABLE order_of_things (place INTEGER);
      CREATE TRIGGER notes AFTER INSERT ON order_of_things BEGIN
        INSERT OR REPLACE INTO thing (id, name, code) VALUES (new.place, 'trigger', new.place % 5);
        DELETE FROM plain;
      END;
      CREATE TRIGGER copies AFTER UPDATE ON noted WHEN new.flag = 3 BEGIN
        UPDATE noted SET id = id + 100 WHERE id = new.id + 1;
      END;
      """)
  ]

  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory(isFast: true) }

  /// A service without threads and pauses, which notices other programs only when it must.
  func open() async throws -> SQLiteService {
    var configuration = SQLiteConfiguration(synchronous: .normal)
    configuration.startsAnewWhenDamaged = false
    configuration.threads = nil
    configuration.shortestFollowed = 0
    configuration.foreignCommitInterval = nil
    return try await SQLiteService(
      path: directory.file, migrations: Self.migrations, configuration: configuration)
  }

  @Test(arguments: 0..<UInt64(scaled(24)))
  func `After any commits, followed rows are those of a new query`(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let service = try await open()
    let other = try OtherProgram(directory.file)
    for number in 0..<20 {
      try await service.write { try $0.execute(RandomSQL.insertion(number)) }
    }
    var watched: [WatchedQuery] = []
    for _ in 0..<4 {
      watched.append(try await WatchedQuery(RandomSQL.query(&random), service))
    }
    for step in 0..<50 {
      // Each query is stale before another program commits. The commits of the service must not
      // hide those of the other program.
      try await service.write { transaction in
        for table in ["thing", "plain", "noted"] {
          try transaction.execute("INSERT INTO \(identifier: table) (flag) VALUES (\(step % 8))")
        }
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        try await change(service, other, &random)
      }
      for index in watched.indices where Int.random(in: 0..<4, using: &random) > 0 {
        try await watched[index].check(service, "seed \(seed), step \(step)")
      }
    }
    for index in watched.indices { try await watched[index].check(service, "seed \(seed), end") }
    // Otherwise the test would only compare whole runs.
    let followed = watched.reduce(0) { $0 + $1.followedVersions }
    #expect(followed > 2, "seed \(seed)")
    try await service.close()
  }

  @Test func `No version of a followed query shows half of a commit`() async throws {
    let (service, other) = (try await openWithThreads(), try await openWithThreads())
    try await service.write { transaction in
      for id in 1...40 {
        try transaction.execute("INSERT INTO thing (id, size, flag) VALUES (\(id), 100, 1)")
      }
    }
    let query = service.observe(
      "SELECT size, flag FROM thing WHERE id > 0 ORDER BY size, id", as: Share.self)
    // Without other programs, the query is followed.
    var versions = query.versions.makeAsyncIterator()
    #expect(try await versions.next()?.count == 40)
    try await service.write { try $0.execute("UPDATE thing SET flag = 0 WHERE id IN (3, 4)") }
    #expect(try await versions.next()?.changedIDs == [3, 4])
    let sums = Task {
      var wrong: [Int] = []
      for try await rows in query.versions {
        let sum = rows.reduce(0) { $0 + $1.size }
        if sum != 4_000 { wrong.append(sum) }
        if rows.allSatisfy({ $0.flag == 2 }) { break }
      }
      return wrong
    }
    try await withThrowingTaskGroup { group in
      for (number, service) in [service, service, other].enumerated() {
        group.addTask {
          var random = SeededRandom(seed: UInt64(number))
          for _ in 0..<(number == 2 ? 20 : 100) {
            let (from, to) = (
              Int.random(in: 1...20, using: &random), Int.random(in: 21...40, using: &random)
            )
            try await service.write { transaction in
              try transaction.execute("UPDATE thing SET size = size - 1 WHERE id = \(from)")
              try transaction.execute("UPDATE thing SET size = size + 1 WHERE id = \(to)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await service.write { try $0.execute("UPDATE thing SET flag = 2") }
    #expect(try await sums.value == [])
    try await service.close()
    try await other.close()
  }

  private struct Share: Decodable, Equatable {
    var size: Int
    var flag: Int
  }

  private func openWithThreads() async throws -> SQLiteService {
    var configuration = SQLiteConfiguration(synchronous: .normal)
    configuration.startsAnewWhenDamaged = false
    configuration.liveQueryPause = .zero
    configuration.shortestFollowed = 0
    return try await SQLiteService(
      path: directory.file, migrations: Self.migrations, configuration: configuration)
  }

  /// Commits something, or fails to.
  private func change(
    _ service: SQLiteService, _ other: OtherProgram, _ random: inout SeededRandom
  ) async throws {
    struct Refused: Error {}
    let changes = (0..<Int.random(in: 1...4, using: &random)).map { _ in RandomSQL.change(&random) }
    @Sendable func run(_ transaction: any WriteTransaction) {
      // A statement that fails is rolled back alone.
      for change in changes { _ = try? transaction.execute(change) }
    }
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<24:
      try await service.write { run($0) }
    case 24..<29:
      try? await service.write { transaction in
        run(transaction)
        throw Refused()
      }
    case 29..<34:
      // These share a commit, and the second one is rolled back to its savepoint.
      await withTaskGroup { group in
        for refuses in [false, true, false] {
          group.addTask {
            try? await service.write { transaction in
              run(transaction)
              if refuses { throw Refused() }
            }
          }
        }
      }
    case 34..<37:
      for change in changes { try? other.run(change.text) }
    case 37:
      let name = "extra\(UInt32.random(in: 0...UInt32.max, using: &random))"
      try await service.write {
        try $0.execute("ALTER TABLE plain ADD COLUMN \(identifier: name)")
      }
    case 38:
      try? other.run("CREATE INDEX IF NOT EXISTS sizes ON thing (size)")
    default:
      try await service.eraseDeleted()
    }
  }
}

/// One live query with two consumers: one of arrays, and one of versions.
private struct WatchedQuery {
  typealias Row = FollowingTests.Cells
  let query: RandomSQL.Query
  private var arrays: LiveQuery<Row>.Iterator
  private var versions: LiveQueryVersions<Row>.Iterator
  private var shown: [Row]
  private var rows: LiveRows<Row>
  private(set) var followedVersions = 0

  init(_ query: RandomSQL.Query, _ service: SQLiteService) async throws {
    self.query = query
    let live = service.observe(query.text, as: Row.self)
    arrays = live.makeAsyncIterator()
    versions = live.versions.makeAsyncIterator()
    shown = try await arrays.next() ?? []
    rows = try #require(try await versions.next())
  }

  mutating func check(_ service: SQLiteService, _ place: String) async throws {
    let query = query
    let expected = try await service.read { try $0.rows(query.expected, as: Row.self) }
    if expected != shown {
      shown = try await arrays.next() ?? []
      let new = try #require(try await versions.next())
      try checkChanges(from: rows, to: new, place)
      rows = new
    }
    try #require(shown == expected, "\(query.text.text), \(place)")
    try #require(Array(rows) == expected, "\(query.text.text), \(place)")
  }

  /// Checks that the rows without a changed identity are the same, in the same order.
  private mutating func checkChanges(
    from old: LiveRows<Row>, to new: LiveRows<Row>, _ place: String
  ) throws {
    guard let changed = new.changedIDs else { return }
    followedVersions += 1
    func others(_ rows: LiveRows<Row>) throws -> [(Int64, Row)] {
      try rows.indices.map { (try #require(rows.id(at: $0)), rows[$0]) }
        .filter { !changed.contains($0.0) }
    }
    let (before, after) = (try others(old), try others(new))
    try #require(before.map(\.0) == after.map(\.0), "\(query.text.text), \(place)")
    try #require(before.map(\.1) == after.map(\.1), "\(query.text.text), \(place)")
    for index in new.indices {
      try #require(new.index(of: try #require(new.id(at: index))) == index)
    }
  }
}
