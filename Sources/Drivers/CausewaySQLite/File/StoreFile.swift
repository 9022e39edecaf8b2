import CausewayBasics
import CausewayDatabase

/// The file of a service, and its condition as its connections have detected it.
struct StoreFile: Sendable {
  let path: String
  /// The name of SQLite's operating-system layer; `nil` for the default.
  let vfs: String?
  /// Whether no program changes the file while it is open.
  let isImmutable: Bool
  /// The simulation that contains the file; `nil` for a file of the operating system.
  let host: (any DatabaseHost)?
  /// The file system that contains the file.
  let files: any FileSystem
  let condition = FileCondition()

  init(
    path: String, vfs: String? = nil, isImmutable: Bool = false, host: (any DatabaseHost)? = nil
  ) {
    self.path = path
    self.isImmutable = isImmutable
    self.vfs = vfs
    self.host = host
    files = host?.files ?? PosixFiles()
  }

  /// The time by which the waits for locks are measured.
  var now: ContinuousClock.Instant { host?.now ?? .now }

  /// The name by which SQLite opens the file; for an immutable file, this is a URI.
  var name: String {
    guard isImmutable else { return path }
    let digits = Array("0123456789ABCDEF")
    let encoded = path.utf8.reduce(into: "") { text, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "."):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return "file:\(path.hasPrefix("/") ? "//" : "")\(encoded)?immutable=1"
  }

  /// The identity of the file at the path; `nil` if there is none.
  var identity: FileIdentity? { files.identity(path) }

  /// The identities of the files that a service has open; `nil` for a file that is not open.
  struct OpenFiles {
    var file: FileIdentity?
    /// The write-ahead log.
    var log: FileIdentity?
    /// The index of the log, which connections of several processes share.
    var index: FileIdentity?
  }

  private var logPath: String { path + "-wal" }
  private var indexPath: String { path + "-shm" }

  /// Whether the file was truncated to zero bytes while its log has content.
  ///
  /// SQLite would treat the file as a new database, and would delete the log with all committed
  /// changes. SQLite itself never causes this state, because it writes the first page before it
  /// creates a log.
  var isEmptied: Bool {
    identity?.size == 0 && (files.identity(logPath)?.size ?? 0) > 0
  }

  /// Creates an empty file that only its owner can read, unless a file exists.
  ///
  /// SQLite would create the file with the default permissions of the process, which usually let
  /// every user read. SQLite gives the log and its index the same permissions as the file. An error
  /// is ignored here, because SQLite reports it when it opens the file.
  func createIfMissing() { files.createIfMissing(path) }

  /// Stores the identities of the files at the path as those of the open files.
  func noteOpened() {
    condition.opened = OpenFiles(
      file: identity, log: files.identity(logPath), index: files.identity(indexPath))
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

  private func isReplaced(_ opened: FileIdentity?, at path: String) -> Bool {
    opened.map { !$0.isSameFile(as: files.identity(path)) } ?? false
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
