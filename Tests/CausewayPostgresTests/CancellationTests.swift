import CausewayData
import CausewayPostgres
import TestSupport
import Testing

/// Cancellations of tasks whose statement runs.
@Suite(.enabled(if: TestServer.isInstalled, TestServer.skipReason), .timeLimit(.minutes(5)))
struct CancellationTests {
  /// Waits until no statement on the server has the given text.
  private func untilIdle(_ service: PostgresService, _ text: String) async throws {
    let query: SQL = """
      SELECT count(*) FROM pg_stat_activity
      WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE \("%\(text)%")
      """
    while try await service.rows(query, as: Int.self) != [0] { await Task.yield() }
  }

  private func untilActive(_ service: PostgresService, _ text: String) async throws {
    let query: SQL = """
      SELECT count(*) FROM pg_stat_activity
      WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE \("%\(text)%")
      """
    while try await service.rows(query, as: Int.self) == [0] { await Task.yield() }
  }

  @Test(arguments: ["read", "write", "rows", "execute"])
  func `A cancellation stops the statement on the server`(_ kind: String) async throws {
    let service = try await PostgresService(
      url: TestServer.shared.value.makeSchema(), migrations: TransactionTests.migrations)
    let mark = "cancelled \(kind)"
    // The sleep is longer than the time limit, so the test passes only if the server stops it.
    let query = SQL(unchecked: "SELECT pg_sleep(3600)::text AS \"\(mark)\"")
    let task = Task {
      switch kind {
      case "read": _ = try await service.read { try $0.rows(query, as: String.self) }
      case "write": _ = try await service.write { try $0.rows(query, as: String.self) }
      case "execute":
        // The statement and the commit are sent together.
        let insertion = SQL(
          unchecked: """
            INSERT INTO entry SELECT 1, pg_sleep(3600)::text AS "\(mark)", NULL, true, 1
            """)
        try await service.write { try $0.execute(insertion) }
      default: _ = try await service.rows(query, as: String.self)
      }
    }
    try await untilActive(service, mark)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await untilIdle(service, mark)
    #expect(try await service.rows("SELECT 1", as: Int.self) == [1])
    try await service.close()
  }

  @Test(arguments: [true, false])
  func `A cancellation stops the statement although the first requests are lost`(
    _ waitsInBatch: Bool
  ) async throws {
    let server = try await TestServer.shared.value
    let relay = try CancellationRelay(server.directory, losing: 2)
    let service = try await PostgresService(
      url: relay.url(server.makeSchema(), server.directory), migrations: TransactionTests.migrations
    )
    // Each connection may have committed before.
    for number in 2...20 {
      try await service.write { transaction in
        try transaction.execute("INSERT INTO entry VALUES (\(number), 'early', NULL, true, 1)")
      }
    }
    let mark = "lost \(waitsInBatch)"
    let sleep = SQL(
      unchecked: """
        INSERT INTO entry SELECT 1, pg_sleep(3600)::text AS "\(mark)", NULL, true, 1
        """)
    let task = Task {
      try await service.write { transaction in
        if waitsInBatch {
          try transaction.execute(sleep)
        } else {
          _ = try transaction.executeAndCount(sleep)
        }
      }
    }
    try await untilActive(service, mark)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await untilIdle(service, mark)
    #expect(relay.requests.all.count >= 3)
    try await service.close()
  }
}
