import CausewayData
import CausewaySystem
import Foundation

/// The file of a service, and what its connections have found out about it.
struct StoreFile: Sendable {
  let path: String
  /// SQLite's name for the layer between it and the operating system; `nil` for the usual one.
  let vfs: String?
  let condition = FileCondition()

  init(path: String, vfs: String? = nil) {
    self.path = path
    self.vfs = vfs
  }

  /// Identifies a file, so that it is known again after it was renamed.
  struct Identity: Equatable {
    let device: UInt64
    let number: UInt64
    let size: Int

    func isSameFile(as other: Self?) -> Bool {
      device == other?.device && number == other?.number
    }
  }

  /// What is at the path now; `nil` for nothing.
  var identity: Identity? { Self.identity(of: path) }

  static func identity(of path: String) -> Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino),
      size: Int(clamping: status.st_size))
  }

  private var logPath: String { path + "-wal" }

  /// Whether the file was cut to nothing while its log has something.
  ///
  /// SQLite takes that for a new database and deletes the log with all that was committed. SQLite
  /// itself never leaves this state: the main file gets its first page before there is a log.
  var isEmptied: Bool {
    identity?.size == 0 && (Self.identity(of: logPath)?.size ?? 0) > 0
  }

  /// Creates an empty file that only its owner can read, unless something is there already.
  ///
  /// SQLite would leave the permissions to the process, which usually lets every user read. It gives
  /// the log and the index of the log the permissions of the file. An error here shows when SQLite
  /// opens the file.
  func createIfMissing() {
    guard identity == nil else { return }
    // Under a name of its own: closing a file that another service in this process has open would
    // release that service's locks.
    let part = "\(path).new-\(UUID().uuidString)"
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    close(descriptor)
    link(part, path)
    unlink(part)
  }

  /// Remembers the file under the path, and its log, as those that the service has open.
  func noteOpened() {
    condition.setOpened(identity, log: Self.identity(of: logPath))
  }

  /// Whether the file that the service has open is no longer the one under the path.
  var isReplaced: Bool {
    guard let opened = condition.opened.file else { return false }
    return !opened.isSameFile(as: identity)
  }

  /// Whether the file or its log is no longer the one that the service has open.
  ///
  /// What is written after that is lost when the service closes.
  var hasLostWrites: Bool {
    if isReplaced { return true }
    guard let log = condition.opened.log else { return false }
    return !log.isSameFile(as: Self.identity(of: logPath))
  }
}

extension PersistenceError {
  /// The file is no longer where the service has opened it.
  static func replaced(_ file: StoreFile) -> PersistenceError {
    PersistenceError(
      .fileReplaced,
      message: "The file \(file.path) was removed, moved or replaced while the service had it open")
  }
}
