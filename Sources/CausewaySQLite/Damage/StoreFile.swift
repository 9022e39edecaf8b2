import CausewaySystem

/// The file of a service, and what its connections have found out about it.
struct StoreFile: Sendable {
  let path: String
  /// SQLite's name for the layer between it and the operating system; `nil` for the usual one.
  let vfs: String?
  let damage = DamageWatch()

  init(path: String, vfs: String? = nil) {
    self.path = path
    self.vfs = vfs
  }

  /// Which file a path leads to, so that it is known again after others may have renamed it.
  struct Identity: Equatable {
    let device: UInt64
    let number: UInt64
    let size: Int
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

  /// Whether the file was cut to nothing while its log has something.
  ///
  /// SQLite takes that for a new database and deletes the log with all that was committed. It never
  /// happens by itself: the main file gets its first page before there is a log.
  var isEmptied: Bool {
    identity?.size == 0 && (Self.identity(of: path + "-wal")?.size ?? 0) > 0
  }
}

extension StoreFile.Identity {
  func isSameFile(as other: Self?) -> Bool {
    device == other?.device && number == other?.number
  }
}
