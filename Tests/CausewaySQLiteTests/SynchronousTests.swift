import CSQLite
import CausewayData
import Foundation
import TestSupport
import Testing

@testable import CausewaySQLite

/// Rule 8: the configuration decides whether a commit waits for the disk.
@Suite(.timeLimit(.minutes(10))) struct SynchronousTests {
  private let directory: TemporaryDirectory
  private let layer: FaultLayer

  init() throws {
    directory = try TemporaryDirectory(isFast: true)
    layer = try FaultLayer(directory)
  }

  private func open(_ configuration: SQLiteConfiguration) async throws -> SQLiteService {
    var configuration = configuration
    configuration.vfs = layer.name
    configuration.foreignCommitInterval = nil
    return try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
  }

  @Test(
    arguments: [
      (SQLiteConfiguration(), 1), (.init(synchronous: .full), 1),
      (.init(synchronous: .normal), 0),
    ])
  func `A commit synchronises to disk only when its durability requires that`(
    _ configuration: SQLiteConfiguration, _ perCommit: Int
  ) async throws {
    let service = try await open(configuration)
    try await service.add(0, "opens the log")
    layer.arm(.sync, nth: 0, code: SQLITE_OK)
    for id in 1...10 {
      try await service.add(id, "Dory")
      #expect(layer.count == id * perCommit)
    }
    layer.disarm()
    try await service.close()
  }

  @Test func `Writes that wait together share one synchronisation to disk`() async throws {
    var configuration = SQLiteConfiguration()
    configuration.busyTimeout = .seconds(600)
    let service = try await open(configuration)
    try await service.add(0, "opens the log")
    layer.arm(.sync, nth: 0, code: SQLITE_OK)
    let other = try OtherProgram(directory.file)
    try other.run("BEGIN IMMEDIATE")
    let writes = (1...100).map { id in Task { try await service.add(id, "Dory") } }
    await until { service.writer.queue.count >= 99 }
    try other.run("COMMIT")
    for write in writes { try await write.value }
    #expect(layer.count == 1)
    layer.disarm()
    try await service.close()
  }

  @Test(arguments: [(SQLiteConfiguration.Synchronous.full, true), (.normal, false)])
  func `Commits of an ended process are on the disk before a durable service reads them`(
    _ synchronous: SQLiteConfiguration.Synchronous, _ isSynchronised: Bool
  ) async throws {
    let earlier = try TemporaryDirectory(isFast: true)
    let ended = try await SQLiteService(path: earlier.file, migrations: boats)
    try await ended.add(1, "Dory")
    // These are the files of a process that ended without closing them.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: earlier.file + suffix, toPath: directory.file + suffix)
    }
    try await ended.close()
    layer.arm(.sync, nth: 0, code: SQLITE_OK)
    let service = try await open(SQLiteConfiguration(synchronous: synchronous))
    #expect((layer.count > 0) == isSynchronised)
    layer.disarm()
    #expect(try await service.boatNames() == ["Dory"])
    try await service.close()
  }

  /// On Apple systems only a full sync flushes the drive's own memory.
  @Test(arguments: [SQLiteConfiguration.Synchronous.full, .normal])
  func `Commits and checkpoints flush the drive's own cache`(
    _ synchronous: SQLiteConfiguration.Synchronous
  ) async throws {
    let all = try await syncs(.sync, synchronous)
    let full = try await syncs(.fullSync, synchronous)
    #expect(all > 0)
    #expect(full == all)
  }

  /// The number of disk syncs of a new file, from its first byte to its last.
  private func syncs(
    _ calls: FaultLayer.Calls, _ synchronous: SQLiteConfiguration.Synchronous
  ) async throws -> Int {
    let directory = try TemporaryDirectory(isFast: true)
    let layer = try FaultLayer(directory)
    layer.arm(calls, nth: 0, code: SQLITE_OK)
    var configuration = SQLiteConfiguration(synchronous: synchronous)
    configuration.vfs = layer.name
    configuration.foreignCommitInterval = nil
    configuration.checkpointPages = 4
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
    for id in 1...20 { try await service.add(id, "Dory") }
    try await service.close()
    return layer.count
  }
}
