import CausewayData
import CausewaySQLite
import CausewayWeb
import Foundation
import HarborBackend

/// The commands that use the data directory of a Harbor that may be running.
struct DataTask: Sendable {
  let directory: DataDirectory
  private let store: BackendStore
  /// The address of the pages, if it is known.
  private let address: URL?

  init(_ options: Options, _ environment: [String: String]) {
    directory = DataDirectory(asked: options.directory, environment: environment)
    store = BackendStore(options, directory)
    address = HarborServer.linkAddress(options)
  }

  /// Copies the databases and the cookies' key into a new directory.
  ///
  /// Each database is copied as it was at one moment. The database of the device is copied first,
  /// so a change that is sent in the meantime is not lost. It can be in both copies, but has no
  /// second effect because of its key. The copy contains no token, so an app that uses it asks for
  /// a sign-in. The pages of a backend continue the session that is in its database.
  ///
  /// - Throws: ``StartError`` or `PersistenceError`.
  func backUp(to path: String) async throws {
    let target = DataDirectory(path: path)
    guard !FileManager.default.fileExists(atPath: path) else {
      throw StartError.directory(
        path: path, reason: "There is a file or directory of that name.")
    }
    try target.prepare()
    do {
      try await copyFiles(to: target)
    } catch {
      // Another attempt can then use the same name.
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  private func copyFiles(to target: DataDirectory) async throws {
    var copied = 0
    for (from, to, migrations) in [
      (directory.database, target.database, DeviceSchema.migrations),
      (directory.serverDatabase, target.serverDatabase, BackendMigrations.all),
    ] where FileManager.default.fileExists(atPath: from) {
      let store = try await SQLiteService.harbor(from, migrations: migrations)
      do { try await store.backUp(to: to) } catch {
        try? await store.close()
        throw error
      }
      try await store.close()
      copied += 1
    }
    guard copied > 0 else {
      throw StartError.directory(path: directory.path, reason: "It has no data to copy.")
    }
    let key = directory.file("cookie.key")
    if FileManager.default.fileExists(atPath: key) {
      try FileManager.default.copyItem(atPath: key, toPath: target.file("cookie.key"))
    }
  }

  /// The content of the backend as JSON, for people and programs.
  ///
  /// A terminal can show it: texts with control characters have escapes. It does not contain the
  /// records that cannot be read.
  func export() async throws -> (text: Data, omitted: [OmittedRecord]) {
    try checkDatabase()
    return try await withStore { store in
      let (archive, omitted) = try await Archive.read(store)
      return (Data(try Self.json(archive).utf8), omitted)
    }
  }

  /// A value as JSON for people, without characters that command a terminal.
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    return ServerLog.escaped(text, keepsLines: true, asJSON: true) + "\n"
  }

  /// Removes a record that an export has left out.
  func remove(_ name: String) async throws {
    try checkDatabase()
    try await withStore { try await Archive.remove(name, from: $0) }
  }

  /// Makes an invitation to a group, and returns its link.
  func invite(to group: String) async throws -> String {
    if case .file = store { try directory.prepare() }
    let code = try await withStore { try await Invitations.make(to: group, in: $0, at: Date()) }
    return link(to: "/join/\(code)")
  }

  /// The address of a page; only its path if the system chooses the port.
  func link(to path: String) -> String { (address?.absoluteString ?? "") + path }

  func checkDatabase() throws(StartError) {
    if case .file(let path) = store, !FileManager.default.fileExists(atPath: path) {
      throw .directory(path: directory.path, reason: "It has no backend's database.")
    }
  }

  /// Adds the content of a file, and returns the number of new records.
  func importFile(_ path: String) async throws -> Int {
    let archive: Archive
    do {
      archive = try JSONDecoder().decode(
        Archive.self, from: try Data(contentsOf: URL(filePath: path)))
    } catch let error as DecodingError {
      throw ArchiveProblem("\(path) is not an export of Harbor: \(Self.sentence(error))")
    } catch {
      throw ArchiveProblem("\(path) cannot be read: \(SystemReason.of(error))")
    }
    if case .file = store { try directory.prepare() }
    return try await withStore { try await archive.write(to: $0, at: Date()) }
  }

  /// A sentence that names the place of the first error in an export, and the error.
  private static func sentence(_ error: DecodingError) -> String {
    let (path, problem): ([any CodingKey], String) =
      switch error {
      case .keyNotFound(let key, let context):
        (context.codingPath, "“\(key.stringValue)” is missing.")
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        (context.codingPath, context.debugDescription)
      @unknown default: ([], "It cannot be decoded.")
      }
    let place = path.map { $0.intValue.map { "number \($0 + 1)" } ?? $0.stringValue }
    return place.isEmpty ? problem : "In \(place.joined(separator: ", ")): \(problem)"
  }

  func withStore<Value>(
    _ body: (any PersistenceService) async throws -> Value
  ) async throws -> Value {
    let store = try await store.open()
    do {
      let value = try await body(store)
      try await store.close()
      return value
    } catch {
      try? await store.close()
      throw error
    }
  }
}
