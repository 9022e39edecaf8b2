import CausewayData
import CausewaySQLite
import Foundation
import TestSupport
import Testing

/// Files that other programs move while a service has them open.
@Suite(.timeLimit(.minutes(10))) struct ReplacedFileTests {
  enum Accident: CaseIterable {
    case removed, moved, replaced, logRemoved, logReplaced, indexRemoved, indexReplaced
  }

  private let directory: TemporaryDirectory
  private let reports = Log<SQLiteDamageReport>()

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func open() async throws -> SQLiteService {
    var configuration = SQLiteConfiguration()
    configuration.onDamage = { [reports] in reports.append($0) }
    return try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
  }

  private func cause(_ accident: Accident) throws {
    let files = FileManager.default
    switch accident {
    case .removed: try files.removeItem(atPath: directory.file)
    case .moved: try files.moveItem(atPath: directory.file, toPath: directory.path + "/away")
    case .replaced: try replace(directory.file)
    case .logRemoved: try files.removeItem(atPath: directory.file + "-wal")
    case .indexRemoved: try files.removeItem(atPath: directory.file + "-shm")
    case .logReplaced: try replace(directory.file + "-wal")
    case .indexReplaced: try replace(directory.file + "-shm")
    }
  }

  private func replace(_ path: String) throws {
    let files = FileManager.default
    let copy = directory.path + "/copy"
    try files.copyItem(atPath: path, toPath: copy)
    try files.removeItem(atPath: path)
    try files.moveItem(atPath: copy, toPath: path)
  }

  @Test(arguments: Accident.allCases)
  func `Writes to a moved or replaced file are rejected and reported once`(
    _ accident: Accident
  ) async throws {
    let service = try await open()
    try await service.add(1, "Ada")
    try cause(accident)
    for id in 2...3 {
      #expect(await failure { try await service.add(id, "lost") } == .fileReplaced)
    }
    await reports.wait(for: 1)
    #expect(reports.all.map(\.error.kind) == [.fileReplaced])
    #expect(reports.all.map(\.setAsideAs) == [nil])
    try await service.close()
  }

  @Test func `The problem of a file appears when it is moved, and ends when it is back`()
    async throws
  {
    let service = try await open()
    var problems = service.fileProblems().makeAsyncIterator()
    #expect(await problems.next() == .some(nil))
    let away = directory.path + "/away"
    try FileManager.default.moveItem(atPath: directory.file, toPath: away)
    #expect(service.fileProblem?.kind == .fileReplaced)
    #expect(await problems.next()??.kind == .fileReplaced)
    try FileManager.default.moveItem(atPath: away, toPath: directory.file)
    #expect(service.fileProblem == nil)
    #expect(await problems.next() == .some(nil))
    try await service.close()
    #expect(service.fileProblem == nil)
  }

  @Test func `A service that only observes reports a replaced file too`() async throws {
    let service = try await open()
    var problems = service.fileProblems().makeAsyncIterator()
    #expect(await problems.next() == .some(nil))
    let query = service.observe("SELECT name FROM boat", as: String.self)
    try cause(.replaced)
    #expect(await problems.next()??.kind == .fileReplaced)
    await reports.wait(for: 1)
    #expect(reports.all.map(\.error.kind) == [.fileReplaced])
    withExtendedLifetime(query) {}
    try await service.close()
  }

  @Test func `A transaction whose file is moved meanwhile is not acknowledged`() async throws {
    let service = try await open()
    let (path, away) = (directory.file, directory.path + "/away")
    let kind = await failure {
      try await service.write { transaction in
        try transaction.insert(Boat(id: 1, name: "Ada"), into: "boat")
        try FileManager.default.moveItem(atPath: path, toPath: away)
      }
    }
    #expect(kind == .fileReplaced)
    try await service.close()
  }

  @Test func `Writes continue when the file is back`() async throws {
    let service = try await open()
    let away = directory.path + "/away"
    try FileManager.default.moveItem(atPath: directory.file, toPath: away)
    #expect(await failure { try await service.add(1, "lost") } == .fileReplaced)
    try FileManager.default.moveItem(atPath: away, toPath: directory.file)
    try await service.add(2, "Ben")
    #expect(try await service.boatNames() == ["Ben"])
    try await service.close()
    #expect(try await open().boatNames() == ["Ben"])
  }

  @Test func `A new reader does not open a different file than the other readers`() async throws {
    let service = try await open()
    try await service.add(1, "Ada")
    try cause(.replaced)
    #expect(await failure { try await service.boatNames() } == .fileReplaced)
    try await service.close()
  }

  @Test func `Closing does not touch the log of a replacement file`() async throws {
    let service = try await open()
    try await service.add(1, "Ada")
    try cause(.removed)
    try cause(.logRemoved)
    try Data("another log".utf8).write(to: URL(fileURLWithPath: directory.file + "-wal"))
    try await service.close()
    #expect(FileManager.default.fileExists(atPath: directory.file + "-wal"))
  }

  @Test func `Only the owner can read a new file, its log and its index`() async throws {
    let service = try await open()
    try await service.add(1, "Ada")
    for suffix in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.file + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
    }
    try await service.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["store.sqlite"])
  }

  @Test func `The permissions of an existing file are kept`() async throws {
    let files = FileManager.default
    #expect(
      files.createFile(
        atPath: directory.file, contents: nil, attributes: [.posixPermissions: 0o640]))
    try await open().close()
    let attributes = try files.attributesOfItem(atPath: directory.file)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }
}
