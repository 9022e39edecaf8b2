import CausewayData
import CausewaySQLite
import Foundation
import Testing

@Suite struct DamageTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `A full disk fails the write and loses no data`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    try await service.add(1, "Ada")
    let kind = await failure {
      try await service.write { transaction in
        _ = try transaction.row("PRAGMA max_page_count = 6", as: Int.self)
        try transaction.execute("INSERT INTO boat VALUES (2, hex(zeroblob(100000)))")
      }
    }
    #expect(kind == .full)
    #expect(try await service.boatNames() == ["Ada"])
    try await service.add(3, "Cara")
    #expect(try await service.boatNames() == ["Ada", "Cara"])
  }

  @Test func `A file of another format is rejected and left unchanged`() async throws {
    let letter = Data(repeating: UInt8(ascii: "a"), count: 5_000)
    try letter.write(to: URL(fileURLWithPath: directory.file))
    let kind = await failure {
      _ = try await SQLiteService(path: directory.file, migrations: boats)
    }
    #expect(kind == .notADatabase)
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory.file)) == letter)
  }

  @Test(arguments: [1, 2, 3])
  func `Reading a damaged page throws an error and never crashes`(_ page: Int) async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    try await service.write { transaction in
      for id in 1...500 {
        try transaction.insert(Boat(id: id, name: String(repeating: "n", count: 50)), into: "boat")
      }
    }
    try await service.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: directory.file))
    try file.seek(toOffset: UInt64(page * 4_096))
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
    try file.close()
    let kind = await failure {
      let service = try await SQLiteService(path: directory.file, migrations: boats)
      _ = try await service.read { try $0.rows("SELECT * FROM boat", as: Boat.self) }
      _ = try await service.read {
        try $0.rows("SELECT name FROM causeway_migration ORDER BY name", as: String.self)
      }
    }
    #expect(kind == .corrupt)
  }

  @Test func `A check finds damage in any page`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    try await service.write { transaction in
      for id in 1...500 {
        try transaction.insert(Boat(id: id, name: String(repeating: "n", count: 50)), into: "boat")
      }
    }
    try await service.checkIntegrity()
    try await service.close()
    let sound = try Data(contentsOf: URL(fileURLWithPath: directory.file))
    #expect(sound.count / 4_096 > 8)
    for page in 1..<sound.count / 4_096 {
      var damaged = sound
      damaged.replaceSubrange(
        page * 4_096..<page * 4_096 + 64, with: Data(repeating: 0xA5, count: 64))
      try damaged.write(to: URL(fileURLWithPath: directory.file))
      let kind = await failure {
        let service = try await SQLiteService(path: directory.file, migrations: boats)
        do {
          try await service.checkIntegrity()
        } catch {
          try? await service.close()
          throw error
        }
      }
      #expect(kind == .corrupt, "page \(page)")
    }
  }

  @Test func `A truncated file throws an error and never crashes`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    try await service.write { transaction in
      for id in 1...500 {
        try transaction.insert(Boat(id: id, name: String(repeating: "n", count: 50)), into: "boat")
      }
    }
    try await service.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: directory.file))
    try file.truncate(atOffset: 6_000)
    try file.close()
    let kind = await failure {
      _ = try await SQLiteService(path: directory.file, migrations: boats).boatNames()
    }
    #expect(kind == .corrupt || kind == .inputOutput)
  }

  @Test func `A path that cannot be opened throws an error that names it`() async throws {
    for path in ["/proc/causeway.sqlite", directory.path, directory.path + "/missing/store.sqlite"]
    {
      let error = await #expect(throws: PersistenceError.self) {
        _ = try await SQLiteService(path: path, migrations: boats)
      }
      #expect(error?.kind == .cannotOpen)
      #expect(error?.description.contains("directory") == true)
    }
  }

  @Test(.enabled("the superuser may write everywhere") { getuid() != 0 })
  func `A read-only file throws an error before any file is created beside it`() async throws {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    try await service.close()
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: directory.file)
    let kind = await failure {
      _ = try await SQLiteService(path: directory.file, migrations: boats)
    }
    #expect(kind == .readOnly)
    #expect(try files.contentsOfDirectory(atPath: directory.path).count == 1)
  }

  @Test(.enabled("the superuser may write everywhere") { getuid() != 0 })
  func `Writing in a read-only directory throws an error, and the file stays readable`()
    async throws
  {
    let service = try await SQLiteService(path: directory.file, migrations: boats)
    try await service.add(1, "Ada")
    try await service.close()
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory.path)
    let kind = await failure {
      let service = try await SQLiteService(path: directory.file, migrations: boats)
      try await service.add(2, "Bea")
    }
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
    #expect(kind == .cannotOpen || kind == .readOnly)
    let again = try await SQLiteService(path: directory.file, migrations: boats)
    #expect(try await again.boatNames() == ["Ada"])
  }
}
