import BrowserDriver
import CausewayData
import CausewayPostgres
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: TestServer.isInstalled, TestServer.skipReason), .timeLimit(.minutes(5)))
struct LiveQueryTests {
  private static let migrations = [
    Migration("create entry", "CREATE TABLE entry (key TEXT NOT NULL)")
  ]

  private func open(
    _ url: String, _ change: (inout PostgresService.Configuration) -> Void = { _ in }
  ) async throws -> PostgresService {
    var configuration = PostgresService.Configuration()
    change(&configuration)
    return try await PostgresService(
      url: url, migrations: Self.migrations, configuration: configuration)
  }

  private func keys(_ service: PostgresService) -> LiveQuery<String> {
    service.observe("SELECT key FROM entry ORDER BY key", as: String.self)
  }

  @Test func `A live query sees the commits of another process`() async throws {
    let url = try await TestServer.shared.value.makeSchema()
    let service = try await open(url)
    var versions = keys(service).makeAsyncIterator()
    #expect(try await versions.next() == [])
    let process = try startProbe(url, "other")
    while let rows = try await versions.next(), rows.count < 20 {}
    process.send(signal: SIGKILL)
    _ = await process.exit
    try await service.close()
  }

  @Test(arguments: [true, false])
  func `Transactions that commit in another order than they began are all seen`(
    sendsHints: Bool
  ) async throws {
    let url = try await TestServer.shared.value.makeSchema()
    let service = try await open(url) { $0.pollInterval = .milliseconds(50) }
    // A service without a change log sends no hints, but the triggers still record its changes.
    let writer = try await open(url) { $0.observesOtherProcesses = sendsHints }
    var versions = keys(service).makeAsyncIterator()
    #expect(try await versions.next() == [])
    let gate = DispatchSemaphore(value: 0)
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await writer.write { transaction in
        try transaction.execute("INSERT INTO entry VALUES ('first')")
        start.finish()
        gate.wait()
      }
    }
    for await _ in started {}
    try await writer.write { try $0.execute("INSERT INTO entry VALUES ('second')") }
    while let rows = try await versions.next(), rows != ["second"] {}
    gate.signal()
    try await first.value
    while let rows = try await versions.next(), rows != ["first", "second"] {}
    try await service.close()
    try await writer.close()
  }

  @Test func `A live query continues after its connection was lost`() async throws {
    let url = try await TestServer.shared.value.makeSchema()
    let service = try await open(url) { $0.pollInterval = .seconds(60) }
    let writer = try await open(url)
    var versions = keys(service).makeAsyncIterator()
    #expect(try await versions.next() == [])
    for number in 1...5 {
      // Every connection of the schema except the one that runs this statement ends.
      try await writer.write { transaction in
        _ = try transaction.rows(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE query LIKE 'SELECT pg_snapshot_xmin%' OR query LIKE 'LISTEN%'
          """, as: Bool.self)
      }
      let key = "\(number)"
      try await writer.write { try $0.execute("INSERT INTO entry VALUES (\(key))") }
      while let rows = try await versions.next(), rows.last != key {}
    }
    try await service.close()
    try await writer.close()
  }

  @Test func `A commit runs only the live queries that read the changed tables`() async throws {
    let service = try await open(TestServer.shared.value.makeSchema())
    try await service.write { transaction in
      try transaction.execute("CREATE VIEW entries AS SELECT key AS name FROM entry")
      try transaction.execute("CREATE TABLE other (key TEXT NOT NULL)")
    }
    let query: SQL = "SELECT name FROM entries ORDER BY name"
    var entries = service.observe(query, as: String.self).makeAsyncIterator()
    var others = service.observe("SELECT key FROM other", as: String.self).makeAsyncIterator()
    #expect(try await entries.next() == [])
    #expect(try await others.next() == [])
    // The first connection to the change log may run all queries once more.
    try await service.write { try $0.execute("INSERT INTO other VALUES ('a')") }
    #expect(try await others.next() == ["a"])
    try await service.write { try $0.execute("INSERT INTO entry VALUES ('b')") }
    #expect(try await entries.next() == ["b"])
    try await service.close()
  }

  @Test func `A live query sees changes of partitions and of new tables`() async throws {
    let service = try await open(TestServer.shared.value.makeSchema())
    try await service.write { transaction in
      try transaction.execute(
        """
        CREATE TABLE part (id BIGINT, name TEXT) PARTITION BY RANGE (id);
        CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (10);
        """)
    }
    var names = service.observe("SELECT name FROM part ORDER BY id", as: String.self)
      .makeAsyncIterator()
    #expect(try await names.next() == [])
    try await service.write { try $0.execute("INSERT INTO part VALUES (1, 'whole')") }
    #expect(try await names.next() == ["whole"])
    try await service.write { try $0.execute("INSERT INTO part_1 VALUES (2, 'leaf')") }
    #expect(try await names.next() == ["whole", "leaf"])
    try await service.write { try $0.execute("CREATE TABLE copy AS SELECT name FROM part") }
    var copies = service.observe("SELECT count(*) FROM copy", as: Int.self).makeAsyncIterator()
    #expect(try await copies.next() == [2])
    try await service.write { try $0.execute("DELETE FROM copy") }
    #expect(try await copies.next() == [0])
    try await service.close()
  }

  @Test func `The change log does not grow forever`() async throws {
    let service = try await open(TestServer.shared.value.makeSchema()) {
      $0.hintInterval = .milliseconds(1)
      $0.changeRetention = .milliseconds(24)
    }
    let first: SQL = "SELECT min(xid::text::bigint) FROM causeway_change"
    try await service.write { try $0.execute("INSERT INTO entry VALUES ('first')") }
    let oldest = try await service.rows(first, as: Int.self)
    while try await service.rows(first, as: Int.self) == oldest {
      try await service.write { try $0.execute("INSERT INTO entry VALUES ('more')") }
    }
    try await service.close()
  }
}
