import CSQLite
import CausewayBasics
import CausewayDatabase
import CausewaySystem
import Foundation
import Synchronization

extension SQLiteService {
  /// The progress of a backup.
  public struct BackupProgress: Sendable, Hashable {
    /// The number of copied pages.
    public var copiedPages: Int
    /// The number of pages of the database.
    public var pages: Int
  }

  /// Copies the database of the running service into a file.
  ///
  /// The copy is a snapshot of one moment. It has its own connection, so reads and writes continue.
  /// The file is replaced only after the complete copy is on the disk, so it always has either its
  /// old or its new contents. Only the owner can read a new file. Complexity: O(size of the file).
  ///
  /// - Parameters:
  ///   - path: The file to create or to replace. No service may have this file open.
  ///   - progress: Called after each step of the copy, off any actor.
  /// - Throws: `PersistenceError`, or `CancellationError` if the task is cancelled. In both cases
  ///   the file at the path is unchanged.
  public func backUp(
    to path: String, progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
  ) async throws {
    try await makeFile(path) { reader, part in try await reader.copy(to: part, progress) }
  }

  /// Writes the database of the running service into a compact file.
  ///
  /// The file has no free space, and its pages are in an order that is fast to read. Use it to
  /// export data: the file contains no remains of deleted rows. In all other respects this function
  /// works like ``backUp(to:progress:)``. Row ids of tables without an integer primary key can
  /// differ.
  ///
  /// - Parameter path: The file to create or to replace. No service may have this file open.
  /// - Throws: `PersistenceError`, or `CancellationError` if the task is cancelled. In both cases
  ///   the file at the path is unchanged.
  public func export(to path: String) async throws {
    try await makeFile(path) { reader, part in try await reader.export(to: part) }
  }

  /// Creates the file for a service from a backup or an export.
  ///
  /// - Parameters:
  ///   - backup: The backup. It is checked completely and left unchanged.
  ///   - path: The file to create. No file may exist there. Move an old file aside first, for
  ///     example with ``setAside(path:)``.
  ///   - configuration: The configuration of the service.
  /// - Throws: `PersistenceError`, of kind `corrupt` or `notADatabase` for a damaged backup;
  ///   `CancellationError` if the task is cancelled. No file is created if an error is thrown.
  public static func restore(
    _ backup: String, to path: String, configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) async throws {
    for suffix in ["", "-wal", "-shm"] where PosixFiles().identity(path + suffix) != nil {
      throw PersistenceError(.cannotOpen, message: "A file already exists: \(path + suffix)")
    }
    guard PosixFiles().identity(backup) != nil else {
      throw PersistenceError(.cannotOpen, message: "The file \(backup) does not exist")
    }
    let source = StoreFile(path: backup, vfs: configuration.vfs)
    let reader = try await withExecutor(configuration.ownThreads) {
      try Reader(source, access: .readWrite)
    }
    let timeout = BusyTimeout(configuration.busyTimeout, for: source)
    try await withExecutor(configuration.ownThreads) {
      try await reader.checkIntegrity(timeout: timeout)
    }
    try await makeFile(StoreFile(path: path), like: source, configuration.ownThreads) { part in
      try await withExecutor(configuration.ownThreads) { try await reader.copy(to: part) { _ in } }
    }
  }

  private func makeFile(
    _ path: String, _ write: @Sendable (Reader, StoreFile) async throws -> Void
  ) async throws {
    let target = StoreFile(path: path)
    // A leftover log at this path would belong to an older file.
    guard target.files.identity(path + "-wal") == nil else {
      throw PersistenceError(.cannotOpen, message: "The file \(path) is open, or was not closed")
    }
    guard target.identity.map({ !$0.isSameFile(as: file.identity) }) ?? true else {
      throw PersistenceError(.cannotOpen, message: "A service cannot be copied to its own file")
    }
    try await Self.makeFile(target, like: file, writer.configuration.ownThreads) { part in
      try await writer.handlingDamage {
        try await readers.withSeparateReader { reader in
          try await withExecutor(writer.configuration.ownThreads) { try await write(reader, part) }
        }
      }
    }
  }

  private static func makeFile(
    _ target: StoreFile, like file: StoreFile, _ threads: BlockingThreads?,
    _ write: (StoreFile) async throws -> Void
  ) async throws {
    let part = StoreFile(path: "\(target.path).part-\(UUID().uuidString)", vfs: file.vfs)
    let name = URL(fileURLWithPath: part.path).lastPathComponent
    parts.withLock { _ = $0.insert(name) }
    defer { parts.withLock { _ = $0.remove(name) } }
    removeParts(of: target)
    part.createIfMissing()
    do {
      try await write(part)
      try await withExecutor(threads) { try part.replace(target) }
    } catch {
      for suffix in ["", "-journal"] { unlink(part.path + suffix) }
      throw error
    }
  }
}

extension SQLiteService {
  /// The names of the files that backups of this process write now.
  private static let parts = Mutex<Set<String>>([])

  /// Removes the incomplete files of backups to a path whose processes have ended.
  ///
  /// If another process still runs a backup to the same path, that backup fails.
  private static func removeParts(of target: StoreFile) {
    let url = URL(fileURLWithPath: target.path)
    let directory = url.deletingLastPathComponent().path
    let prefix = url.lastPathComponent + ".part-"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let part = name.hasSuffix("-journal") ? String(name.dropLast("-journal".count)) : name
      // Without a UUID in its name, the file does not belong to a backup.
      guard UUID(uuidString: String(part.dropFirst(prefix.count))) != nil,
        !parts.withLock({ $0.contains(part) })
      else { continue }
      unlink("\(directory)/\(name)")
    }
  }
}

extension StoreFile {
  /// Renames a file after its contents are on the disk; replaces any file at the new path.
  fileprivate func replace(_ target: StoreFile) throws(PersistenceError) {
    let files = PosixFiles()
    do throws(FileError) {
      guard let (part, _) = try files.openForAppending(path) else {
        throw FileError("open", path, code: ENOENT)
      }
      do throws(FileError) { try files.synchronize(part) } catch {
        try? files.close(part)
        throw error
      }
      try files.close(part)
      try files.rename(path, to: target.path)
      try files.synchronizeDirectory(files.directory(of: target.path))
    } catch {
      throw PersistenceError(
        error.code == ENOSPC ? .full : .inputOutput,
        message: "Could not \(error.operation) \(error.path): "
          + String(cString: strerror(error.code)))
    }
  }
}

extension Reader {
  /// The number of pages in each step of a copy; other work of the process runs between the steps.
  private static var pagesPerStep: Int32 { 32 }

  /// Copies a snapshot of the database page by page into an empty file.
  func copy(
    to part: StoreFile, _ progress: @Sendable (SQLiteService.BackupProgress) -> Void
  ) async throws {
    try connection.run(.begin)
    defer { connection.rollBack() }
    // If the snapshot changes, the backup starts over. Therefore the snapshot is taken first.
    try connection.run(.takeSnapshot)
    let target = try Connection(part, access: .readWrite)
    // A crash makes the file useless in any case, so it needs no synchronisation.
    try target.run("PRAGMA synchronous = OFF")
    guard
      let backup = sqlite3_backup_init(target.database, "main", connection.database, "main")
    else { throw PersistenceError.sqlite(sqlite3_errcode(target.database), on: target.database) }
    var isFinished = false
    defer { if !isFinished { sqlite3_backup_finish(backup) } }
    while true {
      try Task.checkCancellation()
      let code = sqlite3_backup_step(backup, Self.pagesPerStep)
      let pages = Int(sqlite3_backup_pagecount(backup))
      let left = Int(sqlite3_backup_remaining(backup))
      switch code {
      case SQLITE_OK, SQLITE_DONE:
        progress(SQLiteService.BackupProgress(copiedPages: pages - left, pages: pages))
      default:
        // The end of the backup stores its error in the target connection.
        isFinished = true
        sqlite3_backup_finish(backup)
        throw connection.failure(code, on: target)
      }
      if code == SQLITE_DONE { break }
      await Task.yield()
    }
    isFinished = true
    let code = sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw PersistenceError.sqlite(code, on: target.database) }
  }

  /// Writes all rows into an empty file.
  func export(to part: StoreFile) throws {
    do {
      try connection.export(to: part)
    } catch let error as PersistenceError where error.kind == .interrupted && Task.isCancelled {
      throw CancellationError()
    }
  }
}

extension Connection {
  // This function uses untyped errors, because the compiler cannot combine a typed `catch` with a
  // condition.
  fileprivate func export(to part: StoreFile) throws {
    let statement = try prepare("VACUUM INTO ?")
    defer { statement.reset() }
    try statement.bind([.text(part.path)])
    while try step(statement) {}
  }
}
