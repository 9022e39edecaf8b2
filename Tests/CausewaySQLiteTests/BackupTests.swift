import CausewayData
import CausewaySQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct BackupTests {
  private let directory: TemporaryDirectory
  private var copy: String { directory.path + "/copy.sqlite" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func open(_ path: String? = nil) async throws -> SQLiteService {
    try await SQLiteService(path: path ?? directory.file, migrations: boats)
  }

  private func fill(_ service: SQLiteService, _ count: Int = 20_000) async throws {
    try await service.write { transaction in
      try transaction.insert((1...count).map { Boat(id: $0, name: "boat \($0)") }, into: "boat")
    }
  }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
  }

  enum Way: CaseIterable, Sendable { case backup, export }

  private func make(_ way: Way, of service: SQLiteService, at path: String) async throws {
    switch way {
    case .backup: try await service.backUp(to: path)
    case .export: try await service.export(to: path)
    }
  }

  @Test(arguments: Way.allCases)
  func `A copy of a running service has all committed rows`(_ way: Way) async throws {
    let service = try await open()
    try await fill(service)
    try Data("an old backup".utf8).write(to: URL(fileURLWithPath: copy))
    try await make(way, of: service, at: copy)
    try await service.add(0, "later")
    let opened = try await open(copy)
    try await opened.checkIntegrity()
    #expect(try await opened.boatNames().count == 20_000)
    try await opened.close()
    let attributes = try FileManager.default.attributesOfItem(atPath: copy)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try await service.close()
    #expect(files == ["copy.sqlite", "store.sqlite"])
  }

  @Test func `Reads continue during as many backups as there are reading connections`()
    async throws
  {
    var configuration = SQLiteConfiguration()
    configuration.readers = 1
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
    try await fill(service)
    let (isCopying, hasRead) = (Signal(), Signal())
    let count = Mutex(0)
    let backup = Task { [copy] in
      try await service.backUp(to: copy) { _ in
        let isFirst = count.withLock { count in
          count += 1
          return count == 1
        }
        guard isFirst else { return }
        isCopying.send()
        _ = hasRead.wait()
      }
    }
    await withCheckedContinuation { continuation in
      Thread {
        _ = isCopying.wait()
        continuation.resume()
      }.start()
    }
    #expect(try await service.boatNames().count == 20_000)
    hasRead.send()
    try await backup.value
    try await service.close()
  }

  @Test func `A backup is the snapshot of one moment while writes continue`() async throws {
    let service = try await open()
    try await fill(service)
    let written = Gate()
    let parts = Log<SQLiteService.BackupProgress>()
    async let writing: Void = {
      await parts.wait(for: 1)
      try await service.write { try $0.execute("UPDATE boat SET name = 'changed'") }
      written.open()
    }()
    try await service.backUp(to: copy) { parts.append($0) }
    try await writing
    await written.wait()
    let last = try #require(parts.all.last)
    #expect(last.copiedPages == last.pages)
    #expect(parts.all.map(\.copiedPages) == parts.all.map(\.copiedPages).sorted())
    #expect(Set(parts.all.map(\.pages)).count == 1)
    let opened = try await open(copy)
    #expect(try await opened.boatNames().allSatisfy { $0 != "changed" })
    try await opened.close()
    try await service.close()
  }

  @Test func `A cancelled backup leaves the old file and no other file`() async throws {
    let service = try await open()
    try await fill(service)
    try Data("an old backup".utf8).write(to: URL(fileURLWithPath: copy))
    let copy = copy
    let backup = Task {
      try await service.backUp(to: copy) { progress in
        if progress.copiedPages > 0 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await backup.value }
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data("an old backup".utf8))
    try await service.close()
    #expect(files == ["copy.sqlite", "store.sqlite"])
  }

  @Test(arguments: Way.allCases)
  func `A full disk leaves the old file and no other file`(_ way: Way) async throws {
    let layer = try FaultLayer(directory)
    var configuration = SQLiteConfiguration()
    configuration.vfs = layer.name
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
    try await fill(service)
    try Data("an old backup".utf8).write(to: URL(fileURLWithPath: copy))
    layer.arm(.write, nth: 3, code: 13, lasts: true)
    #expect(await failure { try await make(way, of: service, at: copy) } == .full)
    layer.disarm()
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data("an old backup".utf8))
    try await service.close()
    #expect(files == ["copy.sqlite", "store.sqlite"])
  }

  @Test(arguments: Way.allCases)
  func `The file of a running service is not replaced by a copy`(_ way: Way) async throws {
    let (service, other) = (try await open(), try await open(copy))
    for path in [directory.file, copy] {
      #expect(await failure { try await make(way, of: service, at: path) } == .cannotOpen)
    }
    try await other.add(1, "Ada")
    #expect(try await other.boatNames() == ["Ada"])
    try await other.close()
    try await service.close()
  }

  @Test(arguments: Way.allCases)
  func `A service is restored from a copy`(_ way: Way) async throws {
    let service = try await open()
    try await fill(service, 10)
    try await make(way, of: service, at: copy)
    #expect(
      await failure { try await SQLiteService.restore(copy, to: directory.file) } == .cannotOpen)
    try await service.close()
    try FileManager.default.removeItem(atPath: directory.file)
    try await SQLiteService.restore(copy, to: directory.file)
    let restored = try await open()
    #expect(try await restored.boatNames().count == 10)
    try await restored.add(11, "Ada")
    try await restored.close()
    #expect(files == ["copy.sqlite", "store.sqlite"])
  }

  @Test func `A damaged or missing backup is not restored`() async throws {
    let service = try await open()
    try await fill(service)
    try await service.backUp(to: copy)
    try await service.close()
    let target = directory.path + "/new.sqlite"
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: copy))
    try file.seek(toOffset: 5 * 4_096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
    try file.close()
    #expect(await failure { try await SQLiteService.restore(copy, to: target) } == .corrupt)
    try Data("not a database, but some text".utf8).write(to: URL(fileURLWithPath: copy))
    #expect(await failure { try await SQLiteService.restore(copy, to: target) } == .notADatabase)
    try FileManager.default.removeItem(atPath: copy)
    #expect(await failure { try await SQLiteService.restore(copy, to: target) } == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test(arguments: Way.allCases)
  func `A copy removes the incomplete files of ended copies to its path`(_ way: Way) async throws {
    let service = try await open()
    try await fill(service, 10)
    let part = "copy.sqlite.part-\(UUID().uuidString)"
    let others = ["copy.sqlite.part-1", "other.sqlite.part-\(UUID().uuidString)"]
    for name in others + [part, part + "-journal"] {
      try Data("rows".utf8).write(to: URL(fileURLWithPath: directory.path + "/" + name))
    }
    try await make(way, of: service, at: copy)
    try await service.close()
    #expect(files == (["copy.sqlite", "store.sqlite"] + others).sorted())
  }

  @Test func `A copy keeps the file of a running copy to the same path`() async throws {
    let service = try await open()
    try await fill(service)
    let begun = Gate()
    let other = try await open(directory.path + "/other.sqlite")
    try await other.add(1, "Ada")
    let copy = copy
    async let slow: Void = {
      try await service.backUp(to: copy) { _ in begun.open() }
    }()
    await begun.wait()
    try await other.backUp(to: copy)
    try await slow
    try await service.close()
    try await other.close()
    #expect(files == ["copy.sqlite", "other.sqlite", "store.sqlite"])
  }

  @Test func `The error of a full disk names the reason of the target`() async throws {
    let layer = try FaultLayer(directory)
    var configuration = SQLiteConfiguration()
    configuration.vfs = layer.name
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
    try await fill(service)
    layer.arm(.write, nth: 3, code: 13, lasts: true)
    let error = await #expect(throws: PersistenceError.self) { try await service.backUp(to: copy) }
    layer.disarm()
    #expect(error?.kind == .full)
    #expect(error?.message.contains("full") == true)
    try await service.close()
  }
}
