import CausewayData
import CausewaySQLite
import Foundation
import TestSupport
import Testing

/// The traces that deleted rows leave in the files of a service.
@Suite(.timeLimit(.minutes(10))) struct ErasedRowsTests {
  private static let search = FullTextIndex("noteSearch", of: "note", columns: ["text"])
  private static let migrations = [
    Migration(
      "create",
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, account TEXT, text TEXT);
      CREATE INDEX noteText ON note (text);
      CREATE TABLE word (key TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID;
      CREATE TABLE heap (account TEXT, text TEXT);
      """),
    Migration("search", search.creation),
    Migration(
      "search without content", "CREATE VIRTUAL TABLE loose USING fts5(text, content='')"),
    Migration(
      "search of a heap",
      FullTextIndex("heapSearch", of: "heap", columns: ["text"]).creation),
  ]

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func open(_ change: (inout SQLiteConfiguration) -> Void = { _ in }) async throws
    -> SQLiteService
  {
    var configuration = SQLiteConfiguration()
    change(&configuration)
    return try await SQLiteService(
      path: directory.file, migrations: Self.migrations, configuration: configuration)
  }

  /// The names of the files that contain the text.
  private func filesContaining(_ text: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { name in
      let url = URL(fileURLWithPath: directory.path + "/" + name)
      return try Data(contentsOf: url).range(of: Data(text.utf8)) != nil
    }.sorted()
  }

  /// Inserts, replaces and deletes rows so that SQLite moves rows between pages.
  private func work(_ service: SQLiteService, seed: UInt64) async throws {
    let loose = "adasecret loose"
    try await service.write {
      try $0.execute("INSERT INTO loose (rowid, text) VALUES (1, \(loose))")
    }
    try await service.write {
      try $0.execute("INSERT INTO loose (loose, rowid, text) VALUES ('delete', 1, \(loose))")
    }
    var random = SeededRandom(seed: seed)
    for _ in 0..<20 {
      let changes = (0..<scaled(1_000)).map { _ in
        (
          id: Int.random(in: 0..<3_000, using: &random),
          account: Bool.random(using: &random) ? "ada" : "bob",
          length: [5, 40, 80, 300, 3_000].randomElement(using: &random) ?? 0,
          deletes: Int.random(in: 0..<10, using: &random) < 3
        )
      }
      try await service.write { transaction in
        for (id, account, length, deletes) in changes {
          if deletes {
            try transaction.execute("DELETE FROM note WHERE id = \(id)")
            continue
          }
          let text = "\(account)secret\(id) \(String(repeating: "x", count: length))"
          try transaction.execute(
            "INSERT OR REPLACE INTO note VALUES (\(id), \(account), \(text))")
          try transaction.execute("INSERT OR REPLACE INTO word VALUES (\(text), \(text))")
          try transaction.execute("INSERT INTO heap VALUES (\(account), \(text))")
        }
      }
    }
  }

  private func delete(_ account: String, _ service: SQLiteService) async throws {
    try await service.write { transaction in
      try transaction.execute("DELETE FROM note WHERE account = \(account)")
      try transaction.execute("DELETE FROM word WHERE key LIKE \(account + "%")")
      try transaction.execute("DELETE FROM heap WHERE account = \(account)")
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `Nothing of deleted rows is left in any file`(_ seed: UInt64) async throws {
    let service = try await open()
    try await work(service, seed: seed)
    try await delete("ada", service)
    #expect(try !filesContaining("adasecret").isEmpty)
    try await service.eraseDeleted()
    #expect(try filesContaining("adasecret") == [])
    #expect(try !filesContaining("bobsecret").isEmpty)
    try await service.checkIntegrity()
    for index in ["noteSearch", "heapSearch"] {
      try await service.write {
        try $0.execute(
          "INSERT INTO \(identifier: index) (\(identifier: index)) VALUES ('integrity-check')")
      }
    }
    try await service.close()
    #expect(try filesContaining("adasecret") == [])
  }

  @Test func `Damaged files that were set aside are removed too`() async throws {
    try Data("adasecret, not a database".utf8).write(to: URL(fileURLWithPath: directory.file))
    let service = try await open { $0.startsAnewWhenDamaged = true }
    try await service.eraseMarked()
    #expect(try filesContaining("adasecret") == ["store.sqlite.damaged-1"])
    try await service.eraseDeleted()
    #expect(try filesContaining("adasecret") == [])
    try await service.close()
  }

  @Test func `Erasing fails while another process reads, and can be repeated`() async throws {
    let service = try await open { $0.busyTimeout = .zero }
    try await service.write {
      try $0.execute("INSERT INTO note VALUES (1, 'ada', 'adasecret')")
    }
    var other: OtherProgram? = try OtherProgram(directory.file)
    try other?.run("BEGIN; SELECT * FROM note")
    try await service.write { try $0.execute("DELETE FROM note") }
    #expect(await failure { try await service.eraseDeleted() } == .busy)
    other = nil
    try await service.eraseDeleted()
    #expect(try filesContaining("adasecret") == [])
    try await service.close()
  }

  @Test func `Erasing fails without space, and can be repeated`() async throws {
    let layer = try FaultLayer(directory)
    let service = try await open { $0.vfs = layer.name }
    try await work(service, seed: 3)
    try await delete("ada", service)
    layer.arm(.write, nth: 1, code: 13, lasts: true)
    #expect(await failure { try await service.eraseDeleted() } == .full)
    layer.disarm()
    try await service.eraseDeleted()
    #expect(try filesContaining("adasecret") == [])
    try await service.checkIntegrity()
    try await service.close()
    #expect(await failure { try await service.eraseDeleted() } == .closed)
  }
}
