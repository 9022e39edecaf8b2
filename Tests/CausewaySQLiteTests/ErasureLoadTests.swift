import CausewayData
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CausewaySQLite

/// The erasing of deleted rows while others read.
@Suite(.timeLimit(.minutes(10))) struct ErasureLoadTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory(isFast: true)
  }

  private func open(
    _ change: (inout SQLiteConfiguration) -> Void = { _ in }
  ) async throws -> SQLiteService {
    var configuration = SQLiteConfiguration()
    configuration.foreignCommitInterval = nil
    change(&configuration)
    return try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
  }

  private func contains(_ text: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).contains { name in
      let url = URL(fileURLWithPath: directory.path + "/" + name)
      return try Data(contentsOf: url).range(of: Data(text.utf8)) != nil
    }
  }

  private func marks(_ service: SQLiteService) async throws -> Int? {
    try await service.read { try $0.row("SELECT count(*) FROM causeway_erasure", as: Int.self) }
  }

  @Test func `a read that is cancelled while it begins leaves no snapshot behind`() async throws {
    let service = try await open()
    let reader = try Reader(service.file)
    let timeout = service.writer.busyTimeout
    try await service.add(1, "secret")
    // SQLite asks after some thousand steps of a statement whether to stop, counted over all runs.
    var open = 0
    for _ in 0..<200 {
      let reading = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        for _ in 0..<2_000 {
          do { try await reader.read(timeout: timeout) { _ in } } catch is CancellationError {
            return true
          }
        }
        return false
      }
      #expect(try await reading.value)
      if await !reader.hasEnded { open += 1 }
    }
    #expect(open == 0)
    try await service.close()
  }

  @Test func `an account is erased while other tasks read all the time and cancel their reads`()
    async throws
  {
    let service = try await open { $0.readers = 4 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in 1...8 as ClosedRange<UInt64> {
        group.addTask {
          var random = SeededRandom(seed: seed)
          while !Task.isCancelled {
            let reading = Task { try await service.boatNames().count }
            for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() }
            if Bool.random(using: &random) { reading.cancel() }
            _ = await reading.result
          }
        }
      }
      for round in 0..<30 {
        for id in 0..<20 { try await service.add(id, "secret \(round) \(id)") }
        try await service.write { try $0.execute("DELETE FROM boat") }
        try await service.eraseDeleted()
        #expect(try !contains("secret"))
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    try await service.close()
  }

  @Test func `while one read lasts longer than the limit, the rows are erased at the next start`()
    async throws
  {
    let service = try await open { $0.busyTimeout = .milliseconds(20) }
    try await service.add(1, "secret")
    let begun = Gate()
    let end = DispatchSemaphore(value: 0)
    async let read = service.read { _ in
      begun.open()
      return end.wait(timeout: .now() + 300) == .success
    }
    await begun.wait()
    try await service.write { try $0.execute("DELETE FROM boat") }
    #expect(await failure { try await service.eraseDeleted() } == .busy)
    end.signal()
    #expect(try await read)
    #expect(try await marks(service) == 1)
    try await service.close()
    let next = try await open()
    #expect(try await marks(next) == 0)
    #expect(try !contains("secret"))
    try await next.close()
  }
}

extension Reader {
  /// Whether no transaction is open.
  fileprivate var hasEnded: Bool { !connection.isInTransaction }
}
