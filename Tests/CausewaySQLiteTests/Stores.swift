import CSQLite
import CausewayData
import CausewaySQLite
import Foundation
import TestSupport

/// A directory that is removed with its last reference.
final class TemporaryDirectory: Sendable {
  let path: String

  /// - Parameter isFast: Whether to use memory if the system offers such a place, because the test
  ///   opens and syncs hundreds of files.
  init(isFast: Bool = false) throws {
    let files = FileManager.default
    let parent = isFast ? files.fastTemporaryDirectory : files.temporaryDirectory
    path = parent.path + "/causeway-\(UUID().uuidString)"
    try files.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  var file: String { path + "/store.sqlite" }
}

/// The storage locations of a service.
///
/// Each promise holds in all of them.
enum Store: CaseIterable, Sendable {
  case file, memory

  func open(_ directory: TemporaryDirectory, _ migrations: [Migration]) async throws
    -> any PersistenceService
  {
    switch self {
    case .file: try await SQLiteService(path: directory.file, migrations: migrations)
    case .memory: try InMemoryPersistenceService(migrations: migrations)
    }
  }
}

/// Another program on the same file.
final class OtherProgram {
  private let database: OpaquePointer

  init(_ path: String) throws {
    var handle: OpaquePointer?
    guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else {
      throw CocoaError(.fileNoSuchFile)
    }
    database = handle
  }

  deinit {
    sqlite3_close_v2(database)
  }

  func run(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw CocoaError(.fileWriteUnknown, userInfo: ["sql": sql])
    }
  }
}

struct Boat: Codable, Equatable, Sendable {
  var id: Int
  var name: String
}

let boats = [Migration("create boat", "CREATE TABLE boat (id INTEGER PRIMARY KEY, name TEXT)")]

extension PersistenceService {
  func boatNames() async throws -> [String] {
    try await read { try $0.rows("SELECT name FROM boat ORDER BY id", as: String.self) }
  }

  func add(_ id: Int, _ name: String) async throws {
    try await write { try $0.insert(Boat(id: id, name: name), into: "boat") }
  }
}

/// The kind of the error that an operation throws, or `nil`.
func failure<T>(_ operation: () async throws -> T) async -> PersistenceError.Kind? {
  do {
    _ = try await operation()
    return nil
  } catch {
    return (error as? PersistenceError)?.kind
  }
}
