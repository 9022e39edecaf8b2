import CausewayData
import CausewayPostgres
import CausewaySQLite
import Foundation
import Synchronization

/// Compares the service with pgbench on the same server, in the same run.
///
/// Usage: `Scripts/postgres-server Benchmarks/.build/release/PostgresBenchmarks [SECONDS] [hints | commits]`
@main struct PostgresBenchmarks {
  static let migrations = [
    Migration(
      "create item",
      "CREATE TABLE item (id BIGINT PRIMARY KEY, name TEXT NOT NULL)",
      "CREATE TABLE entry (id BIGINT GENERATED ALWAYS AS IDENTITY, name TEXT NOT NULL)",
      "INSERT INTO item SELECT n, 'item ' || n FROM generate_series(1, 10000) AS n")
  ]

  static var seconds: Double { CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3 }

  static func main() async throws {
    guard let host = ProcessInfo.processInfo.environment["PGHOST"] else {
      print("Start it with Scripts/postgres-server.")
      exit(64)
    }
    let url = "postgres://postgres@/postgres?host=\(host)"
    if CommandLine.arguments.contains("hints") { return try await hints(url, host) }
    if !CommandLine.arguments.contains("commits") {
      for clients in [1, 16] { try await reads(url, host, clients) }
    }
    for clients in [1, 16] { try await commits(url, host, clients) }
    if CommandLine.arguments.contains("commits") { return }
    try await bulk(url, host)
    try await embedded()
  }

  /// The same work with a SQLite file, in one process.
  static func embedded() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    defer {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    let tables = [
      Migration(
        "create item",
        "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
        "CREATE TABLE entry (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    ]
    let service = try await SQLiteService(
      path: path, migrations: tables, configuration: .init(synchronous: .normal))
    struct Row: Codable, Sendable { var id: Int, name: String }
    try await service.write { transaction in
      try transaction.insert((1...10_000).map { Row(id: $0, name: "item \($0)") }, into: "item")
    }
    for clients in [1, 16] {
      let reads = try await rate(clients) { _ in
        let id = Int.random(in: 1...10_000)
        _ = try await service.read {
          try $0.row("SELECT name FROM item WHERE id = \(id)", as: String.self)
        }
      }
      print("SQLite, one-row read, \(clients) clients: \(Int(reads)) per second")
      let commits = try await rate(clients) { _ in
        _ = try await service.write {
          try $0.execute("INSERT INTO entry (name) VALUES (\("text"))")
        }
      }
      print("SQLite, one-row commit, \(clients) clients: \(Int(commits)) per second")
    }
    try await service.close()
  }

  static func open(
    _ url: String, schema: String, _ clients: Int, log: Bool,
    _ isolation: PostgresService.Configuration.Isolation = .serializable
  ) async throws -> PostgresService {
    var configuration = PostgresService.Configuration()
    configuration.observesOtherProcesses = false
    let admin = try await PostgresService(url: url, migrations: [], configuration: configuration)
    try await admin.write {
      try $0.execute("CREATE SCHEMA IF NOT EXISTS \(identifier: schema)")
    }
    try await admin.close()
    // Hints and live queries need connections too.
    configuration.connections = clients + 2
    configuration.observesOtherProcesses = log
    configuration.isolation = isolation
    return try await PostgresService(
      url: "\(url)&options=-csearch_path%3D\(schema)", migrations: migrations,
      configuration: configuration)
  }

  static func reads(_ url: String, _ host: String, _ clients: Int) async throws {
    let service = try await open(url, schema: "plain", clients, log: false)
    let floor = try await pgbench(
      host, "plain", clients, "\\set id random(1, 10000)\nSELECT name FROM item WHERE id = :id;\n")
    report("one-row read, \(clients) clients, pgbench", floor, floor)
    let closures = try await rate(clients) { _ in
      let id = Int.random(in: 1...10_000)
      _ = try await service.read {
        try $0.row("SELECT name FROM item WHERE id = \(id)", as: String.self)
      }
    }
    report("one-row read, \(clients) clients, read", closures, floor)
    let rows = try await rate(clients) { _ in
      let id = Int.random(in: 1...10_000)
      _ = try await service.rows("SELECT name FROM item WHERE id = \(id)", as: String.self)
    }
    report("one-row read, \(clients) clients, rows", rows, floor)
    try await service.close()
  }

  static func commits(_ url: String, _ host: String, _ clients: Int) async throws {
    let plain = try await open(url, schema: "plain", clients, log: false)
    let insertion = "INSERT INTO entry (name) VALUES ('text');\n"
    let floor = try await pgbench(host, "plain", clients, insertion)
    report("one-row commit, \(clients) clients, pgbench", floor, floor)
    // Sends the statements of the service without the service: the difference to pgbench is the
    // cost of these statements in the server.
    func sent(_ schema: String, _ first: String = "") async throws -> Double {
      let begin = "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE;\n"
      return try await pgbench(
        host, schema, clients,
        "\\startpipeline\n\(begin)\(first)\(insertion)COMMIT;\n\\endpipeline\n")
    }
    report("one-row commit, \(clients) clients, same pipeline", try await sent("plain"), floor)
    func insert(_ service: PostgresService) async throws -> Double {
      try await rate(clients) { _ in
        _ = try await service.write {
          try $0.execute("INSERT INTO entry (name) VALUES (\("text"))")
        }
      }
    }
    let without = try await insert(plain)
    report("one-row commit, \(clients) clients, write", without, floor)
    try await plain.close()
    let relaxed = try await open(url, schema: "plain", clients, log: false, .readCommitted)
    report(
      "one-row commit, \(clients) clients, read committed", try await insert(relaxed), floor)
    try await relaxed.close()

    let logged = try await open(url, schema: "logged", clients, log: true)
    let identify = """
      SELECT set_config('causeway.transaction', pg_current_xact_id()::text, false),
      set_config('causeway.token', '17846931270364528711', true);

      """
    report(
      "one-row commit, \(clients) clients, same with the log",
      try await sent("logged", identify.replacing("\n", with: " ") + "\n"), floor)
    report("one-row commit, \(clients) clients, change log", try await insert(logged), floor)
    let versions = Versions()
    let observer = observe(logged, versions)
    let live = try await insert(logged)
    report("one-row commit, \(clients) clients, live queries", live, floor)
    print("  versions delivered: \(versions.count.withLock { $0 })")
    observer.cancel()
    try await logged.close()
    _ = try? await observer.value
  }

  /// Runs two live queries on the table of the commits and on another one.
  static func observe(_ service: PostgresService, _ versions: Versions) -> Task<Void, any Error> {
    Task {
      // A fast query, like that of a live list: it reads the newest rows by an index.
      let query: SQL = "SELECT name FROM item ORDER BY id DESC LIMIT 20"
      let counted: SQL = "SELECT last_value FROM entry_id_seq, (SELECT 1 FROM entry LIMIT 1) AS e"
      async let items: Void = {
        for try await _ in service.observe(query, as: String.self) {}
      }()
      for try await _ in service.observe(counted, as: Int.self) {
        versions.count.withLock { $0 += 1 }
      }
      try await items
    }
  }

  static func bulk(_ url: String, _ host: String) async throws {
    struct Row: Codable, Sendable { var id: Int, name: String }
    let service = try await open(url, schema: "bulk", 1, log: true)
    let rows = (10_001...60_000).map { Row(id: $0, name: "item \($0)") }
    let clock = ContinuousClock()
    let written = try await clock.measure {
      try await service.write { try $0.insert(rows, into: "item") }
    }
    print("50,000 rows copied in \(written)")
    let read = try await clock.measure {
      _ = try await service.rows("SELECT id, name FROM item", as: Row.self)
    }
    print("60,000 rows decoded in \(read)")
    try await service.close()
  }

  /// Returns operations per second.
  static func rate(
    _ clients: Int, _ operation: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> Double {
    let end = ContinuousClock.now + .seconds(seconds)
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for client in 0..<clients {
        group.addTask {
          var count = 0
          while ContinuousClock.now < end {
            try await operation(client)
            count += 1
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    return Double(count) / seconds
  }

  /// Returns the transactions per second of a pgbench script with prepared statements.
  static func pgbench(
    _ host: String, _ schema: String, _ clients: Int, _ script: String
  ) async throws -> Double {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sql")
    try Data(script.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "pgbench", "-n", "-M", "prepared", "-c", "\(clients)", "-j", "\(min(clients, 2))",
      // There is no time limit, because the signal of a time limit does not reach processes that
      // Foundation starts.
      "-t", "\(20_000 / clients)", "-f", file.path, "postgres",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["PGOPTIONS": "-csearch_path=\(schema)"]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let line = text.split(separator: "\n").first { $0.hasPrefix("tps = ") }
    return line.flatMap { Double($0.dropFirst(6).prefix { $0 != " " }) } ?? 0
  }

  static func report(_ name: String, _ rate: Double, _ floor: Double) {
    let padded = name.padding(toLength: 50, withPad: " ", startingAt: 0)
    print("\(padded) \(Int(rate)) per second, ratio \(String(format: "%.2f", rate / floor))")
  }
}

/// The number of versions that a live query has delivered.
final class Versions: Sendable {
  let count = Mutex(0)
}
