import CausewayData
import CausewaySQLite
import Foundation
import Testing

/// The mark in a file whose deleted rows must still be erased.
@Suite(.timeLimit(.minutes(10))) struct ErasureMarkTests {
  private static let search = FullTextIndex("heapSearch", of: "heap", columns: ["text"])
  private static let migrations = [
    Migration("create", "CREATE TABLE heap (account TEXT, text TEXT)"),
    Migration("search", search.creation),
  ]

  private let directory: TemporaryDirectory
  private let layer: FaultLayer

  init() throws {
    directory = try TemporaryDirectory(isFast: true)
    layer = try FaultLayer(directory)
  }

  private func open(_ directory: TemporaryDirectory) async throws -> SQLiteService {
    var configuration = SQLiteConfiguration()
    if directory === self.directory { configuration.vfs = layer.name }
    return try await SQLiteService(
      path: directory.file, migrations: Self.migrations, configuration: configuration)
  }

  /// Copies the files as they are now, as if the process were killed.
  private func afterKill() throws -> TemporaryDirectory {
    let copy = try TemporaryDirectory(isFast: true)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: directory.file + suffix, toPath: copy.file + suffix)
    }
    return copy
  }

  private func contain(_ text: String, _ directory: TemporaryDirectory) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).contains { name in
      let url = URL(fileURLWithPath: directory.path + "/" + name)
      return try Data(contentsOf: url).range(of: Data(text.utf8)) != nil
    }
  }

  private func fill(_ service: SQLiteService) async throws {
    try await service.write { transaction in
      for number in 0..<40 {
        let account = number % 3 == 0 ? "ada" : "bob"
        let text = "\(account)secret\(number) " + String(repeating: "y", count: 300)
        try transaction.execute("INSERT INTO heap VALUES (\(account), \(text))")
      }
    }
  }

  private func deleteAda(_ service: SQLiteService) async throws {
    try await service.write { transaction in
      try transaction.execute("DELETE FROM heap WHERE account = 'ada'")
      try transaction.markForErasing()
    }
  }

  @Test func `marked remains are erased at the next start after a kill`() async throws {
    let service = try await open(directory)
    try await fill(service)
    try await deleteAda(service)
    let copy = try afterKill()
    #expect(try contain("adasecret", copy))
    let next = try await open(copy)
    #expect(try !contain("adasecret", copy))
    #expect(try contain("bobsecret", copy))
    try await next.close()
    try await service.close()
  }

  @Test func `a mark does not get the number of a removed mark`() async throws {
    let service = try await open(directory)
    try await fill(service)
    var marks: [Int64] = []
    for _ in 1...2 {
      try await deleteAda(service)
      marks += try await service.read {
        try $0.rows("SELECT id FROM causeway_erasure", as: Int64.self)
      }
      try await service.eraseMarked()
    }
    #expect(marks.count == 2)
    #expect(Set(marks).count == 2)
    try await service.close()
  }

  @Test func `without a mark, nothing is rewritten`() async throws {
    let service = try await open(directory)
    try await fill(service)
    layer.arm(.write, nth: 0, code: 0)
    try await service.eraseMarked()
    #expect(layer.count == 0)
    try await deleteAda(service)
    try await service.eraseMarked()
    #expect(try !contain("adasecret", directory))
    layer.arm(.write, nth: 0, code: 0)
    try await service.eraseMarked()
    try await service.eraseDeleted()
    #expect(layer.count == 0)
    try await service.close()
  }

  @Test func `with the sequence table of SQLite, an erasure rebuilds the indexes only once`()
    async throws
  {
    var writes: [Int] = []
    let tables: [SQL] = [
      "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)",
      "CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)",
    ]
    for table in tables {
      let directory = try TemporaryDirectory(isFast: true)
      let layer = try FaultLayer(directory)
      var configuration = SQLiteConfiguration()
      configuration.vfs = layer.name
      let search = FullTextIndex("noteSearch", of: "note", columns: ["text"])
      let service = try await SQLiteService(
        path: directory.file,
        migrations: [
          Migration("note", table), Migration("search", search.creation),
        ], configuration: configuration)
      try await service.write { transaction in
        for number in 0..<2_000 {
          let text = (0..<20).map { "word\(number * $0)" }.joined(separator: " ")
          try transaction.execute("INSERT INTO note (text) VALUES (\(text))")
        }
      }
      layer.arm(.write, nth: 0, code: 0)
      try await service.eraseDeleted()
      writes.append(layer.count)
      try await service.close()
    }
    #expect(writes[0] > 100)
    #expect(writes[1] < writes[0] * 11 / 10, "\(writes)")
  }

  @Test func `rows that another service deleted are erased too`() async throws {
    let service = try await open(directory)
    try await fill(service)
    try await service.eraseDeleted()
    let other = try await open(directory)
    try await other.write { try $0.execute("DELETE FROM heap WHERE account = 'ada'") }
    try await other.close()
    try await service.eraseDeleted()
    #expect(try !contain("adasecret", directory))
    try await service.close()
  }

  @Test func `a search finds the right rows after the erasure stopped at any write`()
    async throws
  {
    var failures = 0
    for nth in 1...200 {
      let service = try await open(directory)
      try await service.write { try $0.execute("DELETE FROM heap") }
      try await fill(service)
      try await deleteAda(service)
      layer.arm(.write, nth: nth, code: 13, lasts: true)
      let kind = await failure { try await service.eraseMarked() }
      layer.disarm()
      let copy = try afterKill()
      try await service.close()
      let next = try await open(copy)
      for number in [1, 20, 38] {
        let query = Self.search.matches(FullTextPattern(phrase: "bobsecret\(number)"))
        let texts = try await next.read {
          try $0.rows("SELECT text FROM (\(query))", as: String.self)
        }
        #expect(texts.map { $0.prefix(12) } == ["bobsecret\(number) yy".prefix(12)], "write \(nth)")
      }
      #expect(try !contain("adasecret", copy), "write \(nth)")
      try await next.close()
      guard kind == .full else { break }
      failures += 1
    }
    #expect(failures > 10)
    #expect(failures < 200)
  }

  @MainActor
  @Test func `a logout erases a file of several stores and an outbox once`() async throws {
    var writes: [Int] = []
    for count in [0, 8] {
      let directory = try TemporaryDirectory(isFast: true)
      let layer = try FaultLayer(directory)
      var configuration = SQLiteConfiguration()
      configuration.vfs = layer.name
      let tables = (0..<count).map { "store\($0)" }
      let service = try await SQLiteService(
        path: directory.file,
        migrations: Outbox.migrations + Self.migrations
          + tables.map(DatabaseBacking<Int, String>.migration(table:)),
        configuration: configuration)
      let session = SessionService()
      let outbox = Outbox(persistence: service, session: session)
      try await session.signIn("ada")
      for table in tables {
        let store = ObservableStore(backing: DatabaseBacking<Int, String>(service, table: table))
        session.add(store.participant)
        store[1] = "adasecret"
        try await store.flush()
      }
      try await service.write { transaction in
        for number in 0..<4_000 {
          let text = "\(number) " + String(repeating: "z", count: 500)
          try transaction.execute("INSERT INTO heap VALUES ('all', \(text))")
        }
      }
      try await outbox.enqueue(OutboxDraft(collection: "a", kind: "b", payload: Data()))
      layer.arm(.write, nth: 0, code: 0)
      try await session.logout()
      writes.append(layer.count)
      #expect(try !contain("adasecret", directory))
      try await service.close()
    }
    #expect(writes[0] > 1_000)
    #expect(writes[1] < writes[0] * 3 / 2, "\(writes)")
  }
}
