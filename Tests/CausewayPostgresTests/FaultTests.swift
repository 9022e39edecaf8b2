import BrowserDriver
import CausewayData
import CausewayPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

/// Servers that stop, pause or crash, and clients that are killed.
@Suite(
  .enabled(if: TestServer.isInstalled, TestServer.skipReason), .serialized,
  .timeLimit(.minutes(10)))
struct FaultTests {
  private static let migrations = [
    // Without a unique key, the table shows entries that were stored twice.
    Migration("create entry", "CREATE TABLE entry (key TEXT NOT NULL)")
  ]

  /// The results that the writers received.
  private struct History {
    var stored: [String] = []
    var failed: [String] = []
    var unknown: [String] = []
  }

  /// The state that the writers and the test share.
  private final class Load: Sendable {
    let history = Mutex(History())
    let isDone = Mutex(false)

    var storedCount: Int { history.withLock { $0.stored.count } }
  }

  private func verify(_ history: History, _ service: PostgresService) async throws {
    let keys = try await service.rows("SELECT key FROM entry", as: String.self)
    let counts = Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(history.stored.filter { counts[$0] != 1 } == [], "stored once each")
    #expect(history.failed.filter { counts[$0] != nil } == [], "failed, so not stored")
    #expect(history.unknown.filter { counts[$0, default: 0] > 1 } == [], "not doubled")
  }

  enum Fault: String, CaseIterable, Sendable {
    case restart, crash, pause
  }

  @Test(arguments: Fault.allCases)
  func `Writers continue after the server fails, and nothing is lost or doubled`(
    _ fault: Fault
  ) async throws {
    let server = try await TestServer()
    let service = try await PostgresService(url: server.url(), migrations: Self.migrations)
    let load = Load()
    var live = service.observe("SELECT count(*) FROM entry", as: Int.self).makeAsyncIterator()
    #expect(try await live.next() == [0])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var number = 0
          while !load.isDone.withLock({ $0 }) {
            number += 1
            let key = "\(worker)-\(number)"
            do {
              try await service.write { try $0.execute("INSERT INTO entry VALUES (\(key))") }
              load.history.withLock { $0.stored.append(key) }
            } catch let error as PersistenceError {
              #expect([.unavailable, .outcomeUnknown].contains(error.kind), "\(error)")
              load.history.withLock { history in
                if error.kind == .outcomeUnknown {
                  history.unknown.append(key)
                } else {
                  history.failed.append(key)
                }
              }
            }
          }
        }
      }
      for round in 1...5 {
        let before = load.storedCount
        await until { load.storedCount > before + 50 + round * 7 }
        switch fault {
        case .restart:
          try await server.control("stop fast")
          try await server.control("start")
        case .crash:
          try await server.control("crash")
          try await server.control("start")
        case .pause:
          try await server.control("pause")
          // The writers now wait for answers, and no answer comes.
          for _ in 0..<10_000 { await Task.yield() }
          try await server.control("continue")
        }
      }
      let before = load.storedCount
      await until { load.storedCount > before + 50 }
      load.isDone.withLock { $0 = true }
      try await group.waitForAll()
    }
    let result = load.history.withLock { $0 }
    try await verify(result, service)
    let count = try await service.rows("SELECT count(*) FROM entry", as: Int.self)
    while let rows = try await live.next(), rows != count {}
    try await service.close()
    await server.close()
  }

  @Test func `After backends are killed every acknowledged mutation is present exactly once`()
    async throws
  {
    let url = try await TestServer.shared.value.makeSchema()
    let service = try await PostgresService(url: url, migrations: Self.migrations)
    var random = SeededRandom(seed: 11)
    var history = History()
    for round in 1...6 {
      let processes = try (1...3).map { try startProbe(url, "\(round)-\($0)") }
      let victim = Int.random(in: 0..<3, using: &random)
      for (index, process) in processes.enumerated() {
        // One process is killed early, while the others write.
        var left = index == victim ? Int.random(in: 1...40, using: &random) : 60
        for await line in process.lines {
          let words = line.split(separator: " ").map(String.init)
          switch words[0] {
          case "stored": history.stored.append(words[1])
          case "failed": history.failed.append(words[1])
          case "unknown": history.unknown.append(words[1])
          default: break
          }
          left -= 1
          if left <= 0 { process.send(signal: SIGKILL) }
        }
        let exit = await process.exit
        #expect(exit == .signal(SIGKILL), "\(process.errors)")
      }
    }
    #expect(history.stored.count > 100)
    try await verify(history, service)
    try await service.close()
  }
}
