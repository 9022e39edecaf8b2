import CausewayData
import CausewaySQLite
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct StartingAnewTests {
  let directory: TemporaryDirectory
  let reports = Log<SQLiteDamageReport>()

  init() throws { directory = try TemporaryDirectory() }

  private func open(
    _ synchronous: SQLiteConfiguration.Synchronous
  ) async throws -> SQLiteService {
    var configuration = SQLiteConfiguration(synchronous: synchronous)
    configuration.onDamage = { [reports] in reports.append($0) }
    return try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
  }

  private func fill(_ service: SQLiteService) async throws {
    try await service.write { transaction in
      for id in 1...500 {
        try transaction.insert(Boat(id: id, name: String(repeating: "n", count: 50)), into: "boat")
      }
    }
  }

  private func damage(_ damage: Damage) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: directory.file))
    let size = try file.seekToEnd()
    switch damage {
    case .page(let page):
      try file.seek(toOffset: UInt64(page * 4_096))
      try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
    case .cut(let share):
      try file.truncate(atOffset: UInt64(Double(size) * share))
    }
    try file.close()
  }

  enum Damage: Sendable {
    /// The nth page has other content.
    case page(Int)
    /// The file is truncated to this share of its size.
    case cut(Double)
  }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
  }

  /// Reads all rows, which reveals damage in any page.
  private func readAll(_ service: SQLiteService) async throws -> Int {
    try await service.read { transaction in
      _ = try transaction.rows("SELECT name FROM causeway_migration", as: String.self)
      return try transaction.rows("SELECT * FROM boat", as: Boat.self).count
    }
  }

  static let damages: [Damage] = [
    .page(0), .page(1), .page(2), .page(3), .cut(0.001), .cut(0.3), .cut(0.5), .cut(0.9),
  ]

  @Test(arguments: damages)
  func `A damaged cache is moved aside, reported and started anew`(_ damage: Damage) async throws {
    let before = try await open(.normal)
    try await fill(before)
    try await before.close()
    try self.damage(damage)
    let service = try await open(.normal)
    // Damage in the first pages is found when the file is opened, in other pages when they are
    // read.
    if reports.all.isEmpty {
      let kind = await failure { try await readAll(service) }
      #expect(kind == .corrupt)
    }
    #expect(try await readAll(service) == 0)
    try await service.add(1, "Ada")
    #expect(try await service.boatNames() == ["Ada"])
    try await service.close()
    let report = try #require(reports.all.first)
    #expect(reports.all.count == 1)
    #expect(report.setAsideAs == directory.file + ".damaged-1")
    #expect(report.error.kind == .corrupt || report.error.kind == .notADatabase)
    #expect(files.contains("store.sqlite.damaged-1"))
    #expect(try await open(.normal).boatNames() == ["Ada"])
  }

  @Test(arguments: damages)
  func `Damage of irreplaceable data is thrown and reported, and no file is moved`(
    _ damage: Damage
  ) async throws {
    let before = try await open(.full)
    try await fill(before)
    try await before.close()
    try self.damage(damage)
    let damaged = try Data(contentsOf: URL(fileURLWithPath: directory.file))
    let kind = await failure {
      let service = try await open(.full)
      defer { withExtendedLifetime(service) {} }
      return try await readAll(service)
    }
    #expect(kind == .corrupt || kind == .notADatabase)
    #expect(reports.all.map(\.setAsideAs) == [nil])
    #expect(!files.contains { $0.contains("damaged") })
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory.file)) == damaged)
    // The program decides to move the file aside and open a new one.
    let moved = try SQLiteService.setAside(path: directory.file)
    #expect(moved == directory.file + ".damaged-1")
    #expect(try await readAll(open(.full)) == 0)
  }

  @Test func `The log is moved aside with its file and keeps its content`() async throws {
    let service = try await open(.normal)
    try await fill(service)
    // The main file contains only its first page so far.
    #expect(files.contains("store.sqlite-wal"))
    let log = try Data(contentsOf: URL(fileURLWithPath: directory.file + "-wal"))
    try damage(.cut(0))
    let other = try await open(.normal)
    #expect(try await other.boatNames().isEmpty)
    #expect(reports.all.map(\.setAsideAs) == [directory.file + ".damaged-1"])
    let kept = try Data(
      contentsOf: URL(fileURLWithPath: directory.file + ".damaged-1-wal"))
    #expect(kept == log)
    try await other.close()
  }

  @Test func `Commits after the last checkpoint are moved aside too`() async throws {
    let before = try await open(.normal)
    try await fill(before)
    try await before.close()
    let service = try await open(.normal)
    try await service.add(501, "in the log")
    try damage(.page(3))
    #expect(await failure { try await readAll(service) } == .corrupt)
    let kept = try Data(contentsOf: URL(fileURLWithPath: directory.file + ".damaged-1-wal"))
    #expect(kept.range(of: Data("in the log".utf8)) != nil)
    try await service.close()
  }

  @Test func `A file emptied beside its log is not treated as a new file`() async throws {
    let service = try await open(.full)
    try await fill(service)
    let log = directory.file + "-wal"
    let size = try Data(contentsOf: URL(fileURLWithPath: log)).count
    try damage(.cut(0))
    #expect(await failure { try await open(.full) } == .corrupt)
    #expect(try Data(contentsOf: URL(fileURLWithPath: log)).count == size)
    withExtendedLifetime(service) {}
  }

  @Test func `Concurrent reads and writes start anew once and continue`() async throws {
    let before = try await open(.normal)
    try await fill(before)
    try await before.close()
    try damage(.page(3))
    let service = try await open(.normal)
    var names = service.observe("SELECT name FROM boat WHERE id > 1000", as: String.self)
      .makeAsyncIterator()
    await withTaskGroup(of: Void.self) { group in
      for id in 1...20 {
        group.addTask { _ = try? await readAll(service) }
        group.addTask { try? await service.add(id, "boat") }
      }
    }
    #expect(reports.all.count == 1)
    #expect(try await readAll(service) <= 20)
    try await service.add(1_001, "Ada")
    while try await names.next() != ["Ada"] {}
    try await service.checkIntegrity()
    try await service.close()
  }

  @Test func `Damage whose error a body catches is still handled`() async throws {
    let before = try await open(.normal)
    try await fill(before)
    try await before.close()
    try damage(.page(3))
    let service = try await open(.normal)
    try await service.read { transaction in
      _ = try? transaction.rows("SELECT * FROM boat", as: Boat.self)
    }
    #expect(reports.all.count == 1)
    #expect(try await readAll(service) == 0)
  }

  @Test func `A check of the whole file also starts a cache anew`() async throws {
    let before = try await open(.normal)
    try await fill(before)
    try await before.close()
    try damage(.page(5))
    let service = try await open(.normal)
    #expect(await failure { try await service.checkIntegrity() } == .corrupt)
    try await service.checkIntegrity()
    #expect(reports.all.count == 1)
  }

  @Test func `Two services on one damaged file move it aside once`() async throws {
    let before = try await open(.normal)
    try await fill(before)
    try await before.close()
    try damage(.page(3))
    let services = [try await open(.normal), try await open(.normal)]
    await withTaskGroup(of: Void.self) { group in
      for service in services { group.addTask { _ = try? await readAll(service) } }
    }
    try await services[0].add(1, "Ada")
    try await services[1].add(2, "Bea")
    for service in services { #expect(try await service.boatNames() == ["Ada", "Bea"]) }
    #expect(reports.all.compactMap(\.setAsideAs) == [directory.file + ".damaged-1"])
  }

  @Test func `A cache file deleted while it was open is created again`() async throws {
    let service = try await open(.normal)
    try await service.add(1, "Ada")
    var names = service.observe("SELECT name FROM boat", as: String.self).makeAsyncIterator()
    #expect(try await names.next() == ["Ada"])
    for file in files {
      try FileManager.default.removeItem(atPath: directory.path + "/" + file)
    }
    try await service.add(2, "Bea")
    #expect(try await service.boatNames() == ["Bea"])
    #expect(try await names.next() == ["Bea"])
    try await service.close()
    #expect(try await open(.normal).boatNames() == ["Bea"])
  }

  static let misfits = [
    "DROP TABLE causeway_migration", "DELETE FROM causeway_migration",
    "UPDATE causeway_migration SET name = x'FF'", "UPDATE causeway_migration SET name = 'creake'",
    "UPDATE causeway_migration SET fingerprint = x'00'",
    "UPDATE causeway_migration SET fingerprint = 'CREATE'",
    "DROP TABLE causeway_migration; CREATE TABLE causeway_migration (a)",
    "DROP TABLE causeway_migration; CREATE VIEW causeway_migration AS SELECT 1 AS name",
  ]

  private func openAfter(
    _ change: String, _ synchronous: SQLiteConfiguration.Synchronous
  ) async throws -> SQLiteService {
    try await fill(open(synchronous))
    try OtherProgram(directory.file).run(change)
    return try await open(synchronous)
  }

  @Test(arguments: misfits)
  func `A cache whose table of migrations is damaged starts anew`(_ change: String) async throws {
    let service = try await openAfter(change, .normal)
    #expect(try await readAll(service) == 0)
    try await service.add(1, "Ada")
    try await service.close()
    #expect(reports.all.map(\.setAsideAs) == [directory.file + ".damaged-1"])
    #expect(try await open(.normal).boatNames() == ["Ada"])
  }

  @Test(arguments: misfits)
  func `Irreplaceable data with a damaged table of migrations is kept`(
    _ change: String
  ) async throws {
    let kind = await failure { try await openAfter(change, .full) }
    #expect(kind == .corrupt || kind == .migration || kind == .statement)
    #expect(!files.contains { $0.contains("damaged") })
  }

  @Test func `A cache of a newer version of the program is kept`() async throws {
    let kind = await failure {
      try await openAfter("INSERT INTO causeway_migration VALUES (1, 'newer', '')", .normal)
    }
    #expect(kind == .migration)
    #expect(!files.contains { $0.contains("damaged") })
    #expect(reports.all.isEmpty)
  }

  @Test func `A migration that fails does not set a new cache file aside`() async throws {
    let kind = await failure {
      try await SQLiteService(
        path: directory.file, migrations: [Migration("wrong", "CREATE TABEL boat (id)")],
        configuration: .init(synchronous: .normal))
    }
    #expect(kind == .statement)
    #expect(!files.contains { $0.contains("damaged") })
  }

  @Test func `At most three damaged files are kept`() async throws {
    for _ in 1...5 {
      try Data(repeating: 7, count: 5_000).write(to: URL(fileURLWithPath: directory.file))
      let service = try await open(.normal)
      try await service.close()
    }
    #expect(
      files.filter { $0.contains("damaged") } == [
        "store.sqlite.damaged-3", "store.sqlite.damaged-4", "store.sqlite.damaged-5",
      ])
    #expect(reports.all.count == 5)
  }

  @Test func `A directory without room for a new file throws an error until space is free`()
    async throws
  {
    let before = try await open(.normal)
    try await fill(before)
    try await before.close()
    let layer = try FaultLayer(directory)
    var configuration = SQLiteConfiguration(synchronous: .normal)
    configuration.vfs = layer.name
    try damage(.page(3))
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: configuration)
    layer.arm(.write, nth: 1, code: 13, lasts: true)
    #expect(await failure { try await readAll(service) } == .corrupt)
    #expect(await failure { try await readAll(service) } == .full)
    #expect(await failure { try await service.add(1, "Ada") } == .full)
    layer.disarm()
    try await service.add(1, "Ada")
    #expect(try await service.boatNames() == ["Ada"])
    try await service.close()
  }
}
