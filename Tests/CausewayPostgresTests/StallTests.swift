import CausewayData
import CausewayPostgres
import Foundation
import TestSupport
import Testing

/// Servers that do not answer, and statements that take too long.
@Suite(
  .tags(.realClock), .enabled(if: TestServer.isInstalled, TestServer.skipReason),
  .timeLimit(.minutes(5)))
struct StallTests {
  /// A server of its own, because other tests use up the connections of the shared server.
  private static let server = Task { try await TestServer() }

  enum Call: String, CaseIterable, Sendable {
    case read, write, rows
  }

  private static func run(_ query: SQL, _ call: Call, _ service: PostgresService) async throws {
    switch call {
    case .read: _ = try await service.read { try $0.rows(query, as: String.self) }
    case .write: _ = try await service.write { try $0.rows(query, as: String.self) }
    case .rows: _ = try await service.rows(query, as: String.self)
    }
  }

  @Test(arguments: Call.allCases)
  func `A cancelled call to a server that stands still throws a cancellation`(
    _ call: Call
  ) async throws {
    let server = try await TestServer()
    // Without a limit for an answer, only the cancellation ends the call on a slow machine.
    let service = try await PostgresService(
      url: server.url(), migrations: [], configuration: Self.configuration(nil))
    try await Self.run("SELECT 'first'", call, service)
    try await server.control("pause")
    let task = Task { try await Self.run("SELECT 'second'", call, service) }
    for _ in 0..<1_000 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await server.control("continue")
    try await Self.run("SELECT 'third'", call, service)
    try await service.close()
    await server.close()
  }

  /// Stores an entry, pauses the server, and begins to store a second entry.
  ///
  /// The service must not announce its commits. Otherwise the hint of the first write may occupy
  /// the service's connection, and the paused server accepts no new connection.
  ///
  /// - Returns: The second write, after the end of its closure.
  private static func writeToPaused(
    _ server: TestServer, _ service: PostgresService
  ) async throws -> Task<Void, any Error> {
    try await service.write { try $0.execute("INSERT INTO entry VALUES (\("first"))") }
    try await server.control("pause")
    let (ends, end) = AsyncStream<Void>.makeStream()
    let task = Task {
      // The stream must also finish if the write fails before its closure has run.
      defer { end.finish() }
      try await service.write { transaction in
        try transaction.execute("INSERT INTO entry VALUES (\("second"))")
        end.finish()
      }
    }
    for await _ in ends {}
    return task
  }

  @Test func `A cancelled write to a server that stands still says whether its outcome is unknown`()
    async throws
  {
    let server = try await TestServer()
    let service = try await PostgresService(
      url: server.url(), migrations: [Migration("create entry", "CREATE TABLE entry (key TEXT)")],
      configuration: Self.configuration(.seconds(2), feed: false))
    let task = try await Self.writeToPaused(server, service)
    for _ in 0..<1_000 { await Task.yield() }
    task.cancel()
    let error = await #expect(throws: (any Error).self) { try await task.value }
    // The cancellation may have come before the commit was sent.
    let isUnknown = (error as? PersistenceError)?.kind == .outcomeUnknown
    #expect(isUnknown || error is CancellationError)
    try await server.control("continue")
    let keys = try await service.rows("SELECT key FROM entry ORDER BY key", as: String.self)
    #expect(keys == ["first"] || keys == ["first", "second"] && isUnknown)
    try await service.close()
    await server.close()
  }

  @Test func `A closure does not wait for the answer to a statement without a result`() async throws
  {
    let server = try await TestServer()
    let service = try await PostgresService(
      url: server.url(), migrations: [Migration("create entry", "CREATE TABLE entry (key TEXT)")],
      configuration: Self.configuration(.seconds(60), feed: false))
    // The closure ends although the server does not answer.
    let task = try await Self.writeToPaused(server, service)
    try await server.control("continue")
    try await task.value
    let keys = try await service.rows("SELECT key FROM entry ORDER BY key", as: String.self)
    #expect(keys == ["first", "second"])
    try await service.close()
    await server.close()
  }

  private static func configuration(
    _ timeout: Duration?, feed: Bool = true
  ) -> PostgresService.Configuration {
    var configuration = PostgresService.Configuration()
    configuration.statementTimeout = timeout
    configuration.busyTimeout = .milliseconds(10)
    configuration.reconnectTimeout = .seconds(120)
    configuration.observesOtherProcesses = feed
    return configuration
  }

  @Test func `Calls to a server that stands still end, and later calls succeed`() async throws {
    let server = try await TestServer()
    var configuration = Self.configuration(.milliseconds(50))
    // A call that opens a connection to the paused server ends after this time.
    configuration.reconnectTimeout = .seconds(10)
    let service = try await PostgresService(
      url: server.url(), migrations: [], configuration: configuration)
    try await server.control("pause")
    await withTaskGroup(of: Void.self) { group in
      for call in Call.allCases {
        group.addTask {
          let error = await #expect(throws: PersistenceError.self) {
            try await Self.run("SELECT 'call'", call, service)
          }
          #expect(error?.kind == .unavailable, "\(call)")
        }
      }
    }
    try await server.control("continue")
    for call in Call.allCases { try await Self.run("SELECT 'later'", call, service) }
    try await service.close()
    await server.close()
  }

  @Test(arguments: [true, false])
  func `A commit without an answer ends, and its outcome is unknown`(_ feed: Bool) async throws {
    var configuration = Self.configuration(.milliseconds(500), feed: feed)
    // The service asks for the outcome for this long, and the commit takes longer.
    configuration.reconnectTimeout = .seconds(6)
    let service = try await PostgresService(
      url: Self.server.value.makeSchema(),
      migrations: [
        Migration(
          "create entry",
          """
          CREATE TABLE entry (key TEXT NOT NULL);
          CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN PERFORM pg_sleep(90); RETURN NULL; END $$;
          CREATE CONSTRAINT TRIGGER stall AFTER INSERT ON entry
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION stall();
          """)
      ], configuration: configuration)
    let error = await #expect(throws: PersistenceError.self) {
      try await service.write { try $0.execute("INSERT INTO entry VALUES ('stalls')") }
    }
    #expect(error?.kind == .outcomeUnknown)
    try await service.close()
  }

  @Test(arguments: Call.allCases)
  func `A statement that takes too long is stopped, and is not a cancellation`(
    _ call: Call
  ) async throws {
    let url = try await Self.server.value.makeSchema()
    let query: SQL = "SELECT pg_sleep(3600)::text"
    for (options, timeout) in [
      ("", Duration.milliseconds(50)), ("%20-cstatement_timeout%3D50", nil),
    ] {
      let service = try await PostgresService(
        url: url + options, migrations: [], configuration: Self.configuration(timeout, feed: false))
      let error = await #expect(throws: PersistenceError.self) {
        try await Self.run(query, call, service)
      }
      #expect(error?.kind == .timedOut)
      try await Self.run("SELECT 'later'", call, service)
      try await service.close()
    }
  }

  @Test func `A statement that takes too long before the commit is stopped`() async throws {
    let service = try await PostgresService(
      url: Self.server.value.makeSchema(),
      migrations: [Migration("create entry", "CREATE TABLE entry (key TEXT)")],
      configuration: Self.configuration(.milliseconds(50)))
    let error = await #expect(throws: PersistenceError.self) {
      try await service.write { try $0.execute("INSERT INTO entry SELECT pg_sleep(3600)::text") }
    }
    #expect(error?.kind == .timedOut)
    #expect(try await service.rows("SELECT key FROM entry", as: String.self) == [])
    try await service.close()
  }

  @Test func `A migration may take longer than a statement`() async throws {
    let service = try await PostgresService(
      url: Self.server.value.makeSchema(),
      migrations: [Migration("slow", "CREATE TABLE slow AS SELECT pg_sleep(0.3)::text AS text")],
      configuration: Self.configuration(.milliseconds(1)))
    try await service.close()
  }

  @Test func `A transaction that the server ended because it was idle is timed out`() async throws {
    let service = try await PostgresService(
      url: Self.server.value.makeSchema()
        + "%20-cidle_in_transaction_session_timeout%3D10",
      migrations: [], configuration: Self.configuration(.seconds(60), feed: false))
    let error = await #expect(throws: PersistenceError.self) {
      try await service.read { transaction in
        _ = try transaction.rows("SELECT 1", as: Int.self)
        while true {
          sched_yield()
          _ = try transaction.rows("SELECT pg_sleep(0.001)::text", as: String.self)
          usleep(20_000)
        }
      }
    }
    #expect(error?.kind == .timedOut)
    try await service.close()
  }

  #if os(Linux)
    @Test func `A lost network ends a connection, unless the address chooses other limits`()
      async throws
    {
      let server = try await TestServer()
      let port = try ReservedPort()
      for command in [
        "set port = \(port.number)", "set listen_addresses = '127.0.0.1'", "stop fast", "start",
      ] {
        try await server.control(command)
      }
      // The settings of the client's sockets, which have the server's port at their other end.
      func timeouts(_ options: String) async throws -> Set<CInt> {
        let service = try await PostgresService(
          url: "postgres://postgres@127.0.0.1:\(port.number)/postgres?\(options)", migrations: [],
          configuration: Self.configuration(nil, feed: false))
        _ = try await service.rows("SELECT 1", as: Int.self)
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let found = files.compactMap { CInt($0) }.compactMap { file -> CInt? in
          var address = sockaddr_in()
          var size = socklen_t(MemoryLayout<sockaddr_in>.size)
          let isPeer = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(file, $0, &size) }
              == 0
          }
          guard isPeer, UInt16(bigEndian: address.sin_port) == port.number else { return nil }
          var value: CInt = 0
          var length = socklen_t(MemoryLayout<CInt>.size)
          getsockopt(file, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &value, &length)
          return value
        }
        try await service.close()
        return Set(found)
      }
      #expect(try await timeouts("") == [60_000])
      #expect(try await timeouts("tcp_user_timeout=7000") == [7_000])
      await server.close()
    }
  #endif

  @Test func `A division by zero is named`() async throws {
    let service = try await PostgresService(
      url: Self.server.value.makeSchema(), migrations: [])
    let error = await #expect(throws: PersistenceError.self) {
      try await service.rows("SELECT 1 / (SELECT 0)", as: Int.self)
    }
    #expect(error?.kind == .statement)
    #expect(error?.message.contains("by zero") == true)
    try await service.close()
  }
}
