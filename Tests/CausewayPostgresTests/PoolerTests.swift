import BrowserDriver
import CausewayData
import CausewayPostgres
import Foundation
import TestSupport
import Testing

/// PgBouncer in front of a server, with one connection for all clients of a database.
private struct Pooler {
  static let path = "/usr/sbin/pgbouncer"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

  let url: String
  private let process: ChildProcess

  /// The services wait until it has started.
  init(_ server: TestServer) throws {
    // The port is only a part of the name of a socket in the server's own directory.
    let directory = server.directory
    let settings = """
      [databases]
      postgres = host=\(directory) user=postgres
      [pgbouncer]
      listen_addr =
      listen_port = 6432
      unix_socket_dir = \(directory)
      auth_type = any
      pool_mode = transaction
      default_pool_size = 1
      """
    let file = directory + "/pgbouncer.ini"
    try settings.write(toFile: file, atomically: true, encoding: .utf8)
    // PgBouncer refuses to run as the superuser.
    process = try ChildProcess(
      URL(filePath: Self.path), arguments: (getuid() == 0 ? ["-u", "postgres"] : []) + [file])
    url = "postgres://postgres@/postgres?host=\(directory)&port=6432"
  }
}

@Suite(
  .enabled(
    if: TestServer.isInstalled && Pooler.isInstalled, "skipped: there is no PgBouncer"),
  .timeLimit(.minutes(5)))
struct `Behind a pool that shares connections between transactions` {
  private struct Entry: Codable, Equatable, Sendable {
    var id: Int
    var at: Date
    var tags: [String]
  }

  @Test func `a service works, and leaves nothing on the connections`() async throws {
    let server = try await TestServer()
    var direct = PostgresService.Configuration()
    direct.observesOtherProcesses = false
    let owner = try await PostgresService(
      url: server.url(), migrations: [], configuration: direct)
    // With this setting, the server writes times in another style.
    try await owner.write { try $0.execute("ALTER DATABASE postgres SET DateStyle = 'German'") }
    let pooler = try Pooler(server)
    let migrations = [
      Migration(
        "entries",
        "CREATE TABLE entry (id BIGINT PRIMARY KEY, at TIMESTAMPTZ NOT NULL, tags TEXT[] NOT NULL)")
    ]
    var configuration = PostgresService.Configuration()
    configuration.pollInterval = .milliseconds(20)
    let first = try await PostgresService(
      url: pooler.url, migrations: migrations, configuration: configuration)
    let second = try await PostgresService(
      url: pooler.url, migrations: migrations, configuration: configuration)
    let start = Date(timeIntervalSinceReferenceDate: 812_345_678.25)
    let entries = (0..<200).map {
      Entry(id: $0, at: start.addingTimeInterval(Double($0)), tags: ["a,\($0)", "\"b\""])
    }
    var live = second.observe("SELECT count(*) FROM entry", as: Int.self).makeAsyncIterator()
    #expect(try await live.next() == [0])
    // The services take turns on the connection.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, chunk) in [entries[..<100], entries[100...]].enumerated() {
        let service = index == 0 ? first : second
        group.addTask {
          for entry in chunk.prefix(20) {
            try await service.write { try $0.insert(entry, into: "entry") }
            let found = try await service.rows(
              "SELECT * FROM entry WHERE at = \(entry.at) AND id = ANY(\(array: [entry.id]))",
              as: Entry.self)
            #expect(found == [entry])
          }
          let rest = Array(chunk.dropFirst(20))
          try await service.write { try $0.insert(rest, into: "entry") }
          #expect(
            try await service.read { try $0.row("SELECT max(id) FROM entry", as: Int.self) }
              ?? 0 >= 99)
        }
      }
      try await group.waitForAll()
    }
    while let counts = try await live.next(), counts != [200] {}
    #expect(try await first.rows("SELECT * FROM entry ORDER BY id", as: Entry.self) == entries)
    let names = try await first.rows("SELECT name FROM pg_prepared_statements", as: String.self)
    #expect(names == [])
    for service in [first, second, owner] { try await service.close() }
    withExtendedLifetime(pooler) {}
    await server.close()
  }
}
