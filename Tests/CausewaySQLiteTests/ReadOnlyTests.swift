import CausewayData
import CausewaySQLite
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A file that is only read` {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static func only(_ access: SQLiteConfiguration.Access) -> SQLiteConfiguration {
    // The configuration of a cache, whose damaged file would be replaced.
    var configuration = SQLiteConfiguration(synchronous: .normal)
    configuration.access = access
    configuration.foreignCommitInterval = .milliseconds(1)
    return configuration
  }

  private func makeFile(_ path: String, migrations: [Migration] = boats) async throws {
    let service = try await SQLiteService(path: path, migrations: migrations)
    try await service.add(1, "Ada")
    try await service.close()
  }

  private func files(_ path: String? = nil) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path ?? directory.path).sorted()
  }

  @Test(arguments: [SQLiteConfiguration.Access.readOnly, .immutable])
  func `is read and never changed`(access: SQLiteConfiguration.Access) async throws {
    try await makeFile(directory.file)
    let before = try Data(contentsOf: URL(fileURLWithPath: directory.file))
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: Self.only(access))
    #expect(try await service.boatNames() == ["Ada"])
    #expect(await failure { try await service.add(2, "Bea") } == .readOnly)
    #expect(await failure { try await service.eraseDeleted() } == .readOnly)
    try await service.checkIntegrity()
    let copy = directory.path + "/copy.sqlite"
    try await service.export(to: copy)
    try await service.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory.file)) == before)
  }

  @Test func `shows the commits of other programs`() async throws {
    try await makeFile(directory.file)
    let writer = try await SQLiteService(path: directory.file, migrations: boats)
    let service = try await SQLiteService(
      path: directory.file, migrations: boats, configuration: Self.only(.readOnly))
    var names = service.observe("SELECT name FROM boat ORDER BY id", as: String.self)
      .makeAsyncIterator()
    #expect(try await names.next() == ["Ada"])
    try await writer.add(2, "Bea")
    #expect(try await names.next() == ["Ada", "Bea"])
    try await service.close()
    try await writer.close()
  }

  @Test(arguments: ["bundle", "a b%20ü?#&"])
  func `needs no files beside it if it is immutable`(name: String) async throws {
    let bundle = directory.path + "/" + name
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    // Without the last checkpoint, another service would create a log and its index.
    try await makeFile(bundle + "/words.sqlite")
    let service = try await SQLiteService(
      path: bundle + "/words.sqlite", migrations: boats, configuration: Self.only(.immutable))
    #expect(try await service.boatNames() == ["Ada"])
    #expect(try files(bundle) == ["words.sqlite"])
    try await service.close()
    #expect(try files(bundle) == ["words.sqlite"])
  }

  @Test(arguments: [SQLiteConfiguration.Access.readOnly, .immutable])
  func `must have all migrations, and is never created or set aside`(
    access: SQLiteConfiguration.Access
  ) async throws {
    let configuration = Self.only(access)
    #expect(
      await failure {
        try await SQLiteService(
          path: directory.file, migrations: boats, configuration: configuration)
      } == .cannotOpen)
    #expect(try files() == [])
    try await makeFile(directory.file)
    let more = boats + [Migration("more", "CREATE TABLE crew (id INTEGER PRIMARY KEY)")]
    let error = await #expect(throws: PersistenceError.self) {
      try await SQLiteService(path: directory.file, migrations: more, configuration: configuration)
    }
    #expect(error?.kind == .readOnly && error?.message.contains("\"more\"") == true)
    let damaged = directory.path + "/damaged.sqlite"
    try Data(repeating: 7, count: 8_192).write(to: URL(fileURLWithPath: damaged))
    #expect(
      await failure {
        try await SQLiteService(path: damaged, migrations: [], configuration: configuration)
      } == .notADatabase)
    // A connection that only reads can create the log of a file, but not remove it.
    #expect(
      try files().filter { !$0.hasPrefix("store.sqlite-") } == ["damaged.sqlite", "store.sqlite"])
  }

  @Test func `of another program needs no migrations`() async throws {
    try OtherProgram(directory.file).run("CREATE TABLE boat (id INTEGER PRIMARY KEY, name TEXT)")
    let service = try await SQLiteService(
      path: directory.file, migrations: [], configuration: Self.only(.readOnly))
    #expect(try await service.boatNames() == [])
    try await service.close()
  }
}
