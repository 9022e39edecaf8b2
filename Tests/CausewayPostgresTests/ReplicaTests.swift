import CausewayData
import CausewayPostgres
import Testing

/// Reads on a standby with streaming replication.
@Suite(.enabled(if: TestServer.isInstalled, TestServer.skipReason), .timeLimit(.minutes(5)))
struct ReplicaTests {
  private static let migrations = [
    Migration("create entry", "CREATE TABLE entry (key INTEGER NOT NULL)")
  ]

  /// The rows that a read sees, and whether a replica has answered.
  private struct Answer: Equatable {
    var count: Int
    var isReplica: Bool
  }

  private func open(
    _ server: TestServer, replayTimeout: Duration
  ) async throws -> ReplicatedPostgresService {
    var settings = PostgresService.Configuration()
    settings.recordsPositions = true
    let primary = try await PostgresService(
      url: server.url(), migrations: Self.migrations, configuration: settings)
    return try ReplicatedPostgresService(
      primary: primary, replicas: server.url() + "&port=5433", replayTimeout: replayTimeout,
      coolDown: .zero)
  }

  private func answer(
    _ service: ReplicatedPostgresService, after position: String? = nil
  ) async throws -> Answer {
    try await service.read(after: position) { transaction in
      Answer(
        count: try transaction.row("SELECT count(*) FROM entry", as: Int.self) ?? 0,
        isReplica: try transaction.row("SELECT pg_is_in_recovery()", as: Bool.self) ?? false)
    }
  }

  @Test func `A read sees the commits before it, on a replica or else on the primary`()
    async throws
  {
    let server = try await TestServer()
    try await server.control("standby start")
    let patient = try await open(server, replayTimeout: .seconds(120))
    let other = try await open(server, replayTimeout: .seconds(120))
    for count in 1...50 {
      try await patient.write { try $0.execute("INSERT INTO entry VALUES (1)") }
      #expect(try await answer(patient) == Answer(count: count, isReplica: true))
      // Another process receives the position as a text.
      let text = try #require(patient.primary.position)
      #expect(
        try await answer(other, after: text) == Answer(count: count, isReplica: true))
    }

    _ = try await patient.read {
      try $0.rows("SELECT pg_wal_replay_pause()::text", as: String.self)
    }
    let brief = try await open(server, replayTimeout: .milliseconds(200))
    try await brief.write { try $0.execute("INSERT INTO entry VALUES (1)") }
    #expect(try await answer(brief) == Answer(count: 51, isReplica: false))
    _ = try await patient.read {
      try $0.rows("SELECT pg_wal_replay_resume()::text", as: String.self)
    }
    #expect(
      try await answer(patient, after: brief.primary.position)
        == Answer(count: 51, isReplica: true))

    try await server.control("standby stop")
    #expect(try await answer(brief) == Answer(count: 51, isReplica: false))
    for service in [patient, other, brief] { try await service.close() }
    await server.close()
  }

  @Test(arguments: ["", "/", "1", "1/", "/1", "g/1", "1/+1", "-1/1", "1/1/1", "1/100000000"])
  func `A text that is no position is refused`(_ text: String) {
    #expect(LogPosition(text) == nil)
  }

  @Test func `Positions are ordered and keep their form`() {
    let texts = ["0/0", "0/FFFFFFFF", "1/0", "16/B374D848", "FFFFFFFF/FFFFFFFF"]
    let positions = texts.compactMap(LogPosition.init)
    #expect(positions.map(\.description) == texts)
    #expect(positions == positions.sorted())
  }
}
