import CausewayData
import CausewayPostgres
import Synchronization
import Testing

/// Connections that end during a commit.
@Suite(.enabled(if: TestServer.isInstalled, TestServer.skipReason), .timeLimit(.minutes(5)))
struct OutcomeTests {
  private static let migrations = [
    Migration(
      "create entry",
      """
      CREATE TABLE entry (key TEXT NOT NULL);
      CREATE SEQUENCE attempt;
      CREATE FUNCTION end_first() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.key = TG_ARGV[0] AND nextval('attempt') = 1 THEN
          PERFORM pg_terminate_backend(pg_backend_pid());
          PERFORM pg_sleep(3600);
        END IF;
        RETURN NEW;
      END $$;
      CREATE CONSTRAINT TRIGGER end_first_commit AFTER INSERT ON entry
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_first('ends');
      CREATE TRIGGER end_first_statement BEFORE INSERT ON entry
      FOR EACH ROW EXECUTE FUNCTION end_first('ends early');
      """)
  ]

  private let entries: SQL = "SELECT key FROM entry"

  @Test func `A transaction that the server lost during the commit runs again`() async throws {
    let service = try await PostgresService(
      url: TestServer.shared.value.makeSchema(), migrations: Self.migrations)
    try await service.write { try $0.execute("INSERT INTO entry VALUES ('ends')") }
    #expect(try await service.rows(entries, as: String.self) == ["ends"])
    #expect(try await service.rows("SELECT last_value FROM attempt", as: Int.self) == [2])
    try await service.close()
  }

  @Test(arguments: [true, false])
  func `A transaction runs again if its connection ended before its commit`(
    _ hasLog: Bool
  ) async throws {
    var configuration = PostgresService.Configuration()
    configuration.observesOtherProcesses = hasLog
    let service = try await PostgresService(
      url: TestServer.shared.value.makeSchema(), migrations: Self.migrations,
      configuration: configuration)
    try await service.write { transaction in
      for key in ["first", "ends early", "last"] {
        try transaction.execute("INSERT INTO entry VALUES (\(key))")
      }
    }
    let keys = try await service.rows(entries, as: String.self)
    #expect(keys == ["first", "ends early", "last"])
    #expect(try await service.rows("SELECT last_value FROM attempt", as: Int.self) == [2])
    try await service.close()
  }

  @Test func `Without a change log, a connection that ends during a commit is an error`()
    async throws
  {
    var configuration = PostgresService.Configuration()
    configuration.observesOtherProcesses = false
    let service = try await PostgresService(
      url: TestServer.shared.value.makeSchema(), migrations: Self.migrations,
      configuration: configuration)
    let error = await #expect(throws: PersistenceError.self) {
      try await service.write { try $0.execute("INSERT INTO entry VALUES ('ends')") }
    }
    #expect(error?.kind == .outcomeUnknown)
    #expect(try await service.rows(entries, as: String.self) == [])
    try await service.close()
  }

  @Test func `A stored transaction whose reply was lost is reported as stored, and not repeated`()
    async throws
  {
    let server = try await TestServer()
    let service = try await PostgresService(url: server.url(), migrations: Self.migrations)
    let other = try await PostgresService(
      url: server.url() + "&options=-csynchronous_commit%3Dlocal", migrations: Self.migrations,
      configuration: {
        var configuration = PostgresService.Configuration()
        configuration.observesOtherProcesses = false
        return configuration
      }())
    let stop = Stop()
    let writes = Task {
      var number = 0
      while !stop.isRequested.withLock({ $0 }) {
        number += 1
        let key = "\(number)"
        try await service.write { try $0.execute("INSERT INTO entry VALUES (\(key))") }
      }
      return number
    }
    // With this setting, a commit is stored and then waits for a replica that does not exist.
    try await server.control("set synchronous_standby_names = 'missing'")
    let end: SQL = """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE wait_event = 'SyncRep' AND query = 'COMMIT'
      """
    while try await other.rows(end, as: Bool.self).isEmpty { await Task.yield() }
    stop.isRequested.withLock { $0 = true }
    try await server.control("set synchronous_standby_names = ''")
    let count = try await writes.value
    let keys = try await service.rows(entries, as: String.self)
    #expect(keys.sorted() == (1...count).map(String.init).sorted())
    try await other.close()
    try await service.close()
    await server.close()
  }
}

private final class Stop: Sendable {
  let isRequested = Mutex(false)
}
