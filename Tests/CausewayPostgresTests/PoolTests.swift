import CausewayData
import CausewayPostgres
import Dispatch
import TestSupport
import Testing

/// Services whose server accepts no further connections.
@Suite(.enabled(if: TestServer.isInstalled, TestServer.skipReason), .timeLimit(.minutes(5)))
struct PoolTests {
  private static func configuration(connections: Int) -> PostgresService.Configuration {
    var configuration = PostgresService.Configuration()
    configuration.connections = connections
    configuration.observesOtherProcesses = false
    return configuration
  }

  @Test func `Operations share the connections that the server permits, even if there are few`()
    async throws
  {
    let server = try await TestServer()
    let owner = try await PostgresService(
      url: server.url(), migrations: [], configuration: Self.configuration(connections: 1))
    try await owner.write { try $0.execute("CREATE ROLE few LOGIN CONNECTION LIMIT 3") }
    try await owner.close()
    let service = try await PostgresService(
      url: "postgres://few@/postgres?host=\(server.directory)", migrations: [],
      configuration: Self.configuration(connections: 8))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          for number in 0..<40 {
            // An operation that cannot open a connection and does not get a free one would throw.
            let found = try await service.rows("SELECT \(number)", as: Int.self)
            #expect(found == [number])
          }
        }
      }
      try await group.waitForAll()
    }
    try await service.close()
    await server.close()
  }

  @Test func `An operation whose connection is not accepted uses one that becomes free`()
    async throws
  {
    let server = try await TestServer()
    let service = try await PostgresService(
      url: server.url(), migrations: [], configuration: Self.configuration(connections: 2))
    let delay: SQL = "SHOW pre_auth_delay"
    // Each new connection now hangs.
    try await server.control("set pre_auth_delay = 60")
    while try await service.rows(delay, as: String.self) != ["1min"] { await Task.yield() }
    let (holds, hasBegun) = AsyncStream<Void>.makeStream()
    let releases = DispatchSemaphore(value: 0)
    let holder = Task {
      try await service.read { _ in
        hasBegun.finish()
        releases.wait()
      }
    }
    for await _ in holds {}
    let other = Task { try await service.rows("SELECT 1", as: Int.self) }
    // The other operation begins to open a connection.
    for _ in 0..<10_000 { await Task.yield() }
    releases.signal()
    try await holder.value
    #expect(try await other.value == [1])
    try await service.close()
    await server.close()
  }

  @Test func `An operation without any connection fails at its deadline with the server's reason`()
    async throws
  {
    let server = try await TestServer.shared.value
    let owner = try await PostgresService(
      url: server.makeSchema(), migrations: [], configuration: Self.configuration(connections: 1))
    try await owner.write { try $0.execute("CREATE ROLE nobody_more LOGIN CONNECTION LIMIT 0") }
    try await owner.close()
    var configuration = Self.configuration(connections: 2)
    configuration.reconnectTimeout = .seconds(15)
    let error = await #expect(throws: PersistenceError.self) {
      _ = try await PostgresService(
        url: "postgres://nobody_more@/postgres?host=\(server.directory)", migrations: [],
        configuration: configuration)
    }
    #expect(error?.kind == .unavailable)
    // This is also the SQLSTATE if other tests use all connections of the server.
    #expect(error?.message.contains("53300") == true, "\(String(describing: error))")
  }

  @Test func `The server's reason is told, also if the server hangs at the deadline`() async throws
  {
    let server = try RawServer.serving { number, connection in
      _ = connection.receive()
      if number == 0 {
        let fields = "SFATAL\0VFATAL\0C53300\0Mthere is no place left\0\0"
        connection.send([UInt8(ascii: "E"), 0, 0, 0, UInt8(fields.utf8.count + 4)] + fields.utf8)
      } else {
        // Returns when the client closes the connection.
        _ = connection.receive()
      }
    }
    var configuration = Self.configuration(connections: 1)
    configuration.reconnectTimeout = .seconds(5)
    let error = await #expect(throws: PersistenceError.self) {
      _ = try await PostgresService(
        url: "postgres://a@127.0.0.1:\(server.port)/a?sslmode=disable&gssencmode=disable",
        migrations: [], configuration: configuration)
    }
    #expect(
      error?.message.contains("there is no place left") == true, "\(String(describing: error))")
  }
}
