import BrowserDriver
import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewaySQLite

/// Other processes on the same file: killed, holding the lock, or without space.
@Suite(.timeLimit(.minutes(10))) struct ProcessTests {
  struct NoProbe: Error {}
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let migrations = [
    Migration("create pair", "CREATE TABLE pair (id INTEGER PRIMARY KEY, filler TEXT NOT NULL)")
  ]

  private func probe(_ scenario: String) throws -> ChildProcess {
    let places =
      Bundle.allBundles.map { $0.bundleURL } + [Bundle.main.executableURL].compactMap { $0 }
    let candidates = places.flatMap { place in
      [place, place.deletingLastPathComponent()].map { $0.appending(path: "StoreProbe") }
    }
    guard
      let executable = candidates.first(where: {
        FileManager.default.isExecutableFile(atPath: $0.path)
      })
    else { throw NoProbe() }
    return try ChildProcess(executable, arguments: [scenario, directory.file])
  }

  private func open(_ timeout: Duration = .seconds(5)) async throws -> SQLiteService {
    var configuration = SQLiteConfiguration()
    configuration.busyTimeout = timeout
    return try await SQLiteService(
      path: directory.file, migrations: Self.migrations, configuration: configuration)
  }

  @Test
  func `After a writer is killed its acknowledged transactions are stored, and no partial ones`()
    async throws
  {
    var random = SeededRandom(seed: 7)
    var acknowledged = 0
    for round in 1...40 {
      let process = try probe("write")
      var left = Int.random(in: 0...12, using: &random)
      for await line in process.lines {
        acknowledged = max(acknowledged, Int(line) ?? 0)
        left -= 1
        // The test kills the writer at any point of the next transaction.
        if left == 0 {
          for _ in 0..<Int.random(in: 0...2_000, using: &random) { await Task.yield() }
        }
        if left <= 0 { process.send(signal: SIGKILL) }
      }
      #expect(await process.exit == .signal(SIGKILL))
      let service = try await open()
      let ids = try await service.read { try $0.rows("SELECT id FROM pair", as: Int.self) }
      let last = ids.max() ?? 0
      // One more transaction may be committed but not reported.
      #expect(last >= acknowledged, "round \(round)")
      #expect(Set(ids) == Set(1...max(last, 1)).union(Set(-max(last, 1)...(-1))), "round \(round)")
      try await service.checkIntegrity()
      try await service.close()
      acknowledged = last
    }
    #expect(acknowledged > 40)
  }

  @Test func `A lock of another process causes a busy error until it is released`() async throws {
    let service = try await open(.milliseconds(80))
    let process = try probe("hold")
    var lines = process.lines.makeAsyncIterator()
    #expect(await lines.next() == "held")
    let start = ContinuousClock.now
    let kind = await failure { try await service.write { try $0.execute("DELETE FROM pair") } }
    #expect(kind == .busy)
    #expect(start.duration(to: .now) >= .milliseconds(80))
    // Readers do not wait for writers.
    let rows = try await service.read { try $0.rows("SELECT id FROM pair", as: Int.self) }
    #expect(rows.isEmpty)
    try process.input.close()
    #expect(await lines.next() == "done")
    try await service.write { try $0.execute("INSERT INTO pair VALUES (1, 'mine')") }
    let ids = try await service.read {
      try $0.rows("SELECT id FROM pair ORDER BY id", as: Int.self)
    }
    #expect(ids == [1, 1_000_000])
    try await service.close()
  }

  @Test func `A killed process releases its lock, and its transaction is rolled back`()
    async throws
  {
    let service = try await open(.milliseconds(50))
    let process = try probe("hold")
    var lines = process.lines.makeAsyncIterator()
    #expect(await lines.next() == "held")
    let kind = await failure { try await service.write { try $0.execute("DELETE FROM pair") } }
    #expect(kind == .busy)
    process.send(signal: SIGKILL)
    _ = await process.exit
    try await service.write { try $0.execute("INSERT INTO pair VALUES (1, 'mine')") }
    let ids = try await service.read { try $0.rows("SELECT id FROM pair", as: Int.self) }
    #expect(ids == [1])
    try await service.close()
  }

  @Test func `A file size limit throws an error, and the service continues after its removal`()
    async throws
  {
    let process = try probe("limit")
    var lines: [String] = []
    for await line in process.lines { lines.append(line) }
    let (exit, errors) = await (process.exit, process.allErrors)
    #expect(exit == .code(0), "\(errors)")
    try #require(lines.count == 4, "\(lines) \(errors)")
    #expect(lines[0] == "failed full" || lines[0] == "failed inputOutput")
    let stored = try #require(Int(lines[1].dropFirst("stored ".count)))
    #expect(stored > 5)
    #expect(lines[2] == "rows \(stored * 2)")
    #expect(lines[3] == "rows \(stored * 2 + 2)")
  }
}
