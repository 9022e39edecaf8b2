import CausewayDatabase
import CausewayFiles
import CausewaySystem
import Foundation

/// The file of a service, and its condition as its connections have detected it.
struct StoreFile: Sendable {
  let path: String
  /// The name of SQLite's operating-system layer; `nil` for the default.
  let vfs: String?
  let key: EncryptionKey?
  /// The simulation that contains the file; `nil` for a file of the operating system.
  let host: (any DatabaseHost)?
  let condition = FileCondition()

  init(
    path: String, vfs: String? = nil, key: EncryptionKey? = nil, host: (any DatabaseHost)? = nil
  ) {
    self.path = path
    self.vfs = vfs
    self.key = key
    self.host = host
  }

  /// Identifies a file independently of its name.
  struct Identity: Equatable {
    let device: UInt64
    let number: UInt64
    let size: Int

    func isSameFile(as other: Self?) -> Bool {
      device == other?.device && number == other?.number
    }
  }

  /// The identity of the file at the path; `nil` if there is none.
  var identity: Identity? { currentIdentity(of: path) }

  /// The identity of a file of the service; `nil` if there is none.
  func currentIdentity(of path: String) -> Identity? {
    host.map { Self.identity(of: path, in: $0.files) } ?? Self.identity(of: path)
  }

  private static func identity(of path: String, in files: any FileSystem) -> Identity? {
    guard let identity = files.identity(path) else { return nil }
    let (folder, name) = split(path)
    let size = (try? files.list(folder))?.first { $0.name == name }?.size
    return Identity(device: identity.device, number: identity.number, size: size ?? 0)
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (
      slash == path.startIndex ? "/" : String(path[..<slash]),
      String(path[path.index(after: slash)...])
    )
  }

  static func identity(of path: String) -> Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino),
      size: Int(clamping: status.st_size))
  }

  /// The identities of the files that a service has open; `nil` for a file that is not open.
  struct OpenFiles {
    var file: Identity?
    /// The write-ahead log.
    var log: Identity?
    /// The index of the log, which connections of several processes share.
    var index: Identity?
  }

  private var logPath: String { path + "-wal" }
  private var indexPath: String { path + "-shm" }

  /// Whether the file was truncated to zero bytes while its log has content.
  ///
  /// SQLite would treat the file as a new database, and would delete the log with all committed
  /// changes. SQLite itself never causes this state, because it writes the first page before it
  /// creates a log.
  var isEmptied: Bool {
    identity?.size == 0 && (currentIdentity(of: logPath)?.size ?? 0) > 0
  }

  /// Creates an empty file that only its owner can read, unless a file exists.
  ///
  /// SQLite would create the file with the default permissions of the process, which usually let
  /// every user read. SQLite gives the log and its index the same permissions as the file. An error
  /// is ignored here, because SQLite reports it when it opens the file.
  func createIfMissing() {
    guard identity == nil else { return }
    if let files = host?.files {
      if let file = try? files.create(path) { try? files.close(file) }
      return
    }
    // The file gets its final name only after it is closed. If the file were open in another
    // service of this process, closing it here would release that service's locks.
    let part = "\(path).new-\(UUID().uuidString)"
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    close(descriptor)
    link(part, path)
    unlink(part)
  }

  /// Stores the identities of the files at the path as those of the open files.
  func noteOpened() {
    condition.opened = OpenFiles(
      file: identity, log: currentIdentity(of: logPath), index: currentIdentity(of: indexPath))
  }

  /// Whether the path now refers to a file that is not the open file.
  var isReplaced: Bool { isReplaced(condition.opened.file, at: path) }

  /// Whether the file, its log or the log's index was replaced or removed.
  ///
  /// In this state, later writes are lost when the service closes. Other processes use another log,
  /// or another index for the same log, which damages the file.
  var hasLostWrites: Bool {
    let opened = condition.opened
    return isReplaced(opened.file, at: path) || isReplaced(opened.log, at: logPath)
      || isReplaced(opened.index, at: indexPath)
  }

  private func isReplaced(_ opened: Identity?, at path: String) -> Bool {
    guard let opened else { return false }
    if let host {
      // The size, which needs a list of the folder, does not matter here.
      guard let current = host.files.identity(path) else { return true }
      return opened.device != current.device || opened.number != current.number
    }
    return !opened.isSameFile(as: currentIdentity(of: path))
  }
}

extension PersistenceError {
  /// The file is no longer at the path at which the service opened it.
  static func replaced(_ file: StoreFile) -> PersistenceError {
    PersistenceError(
      .fileReplaced,
      message:
        "The file \(file.path) or its log was removed, moved or replaced while the service had it open"
    )
  }
}
