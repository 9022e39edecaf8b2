import Foundation

/// The directory that holds the board: only for its user, and for one process at a time.
struct DataDirectory: Sendable, Equatable {
  let path: String

  /// The database of the device: boards, links, and changes that the server does not have yet.
  var database: String { file("device.sqlite") }
  /// The database of the backend.
  var serverDatabase: String { file("server.sqlite") }

  /// The last events of the pages.
  var ring: String { file("inspector.ring") }

  init(path: String) { self.path = path }

  /// Uses the given directory, or the default directory of the current user.
  init(asked: String?, environment: [String: String], home: String = NSHomeDirectory()) {
    if let asked {
      path = asked
    } else if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      // The XDG specification requires that a relative path is ignored.
      path = "\(data)/harbor"
    } else {
      #if os(macOS)
        path = "\(home)/Library/Application Support/harbor"
      #else
        path = "\(home)/.local/share/harbor"
      #endif
    }
  }

  /// A file or folder inside it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes the directory if it is missing.
  ///
  /// Only its owner can read it.
  func prepare() throws(StartError) {
    var isDirectory: ObjCBool = false
    let files = FileManager.default
    if files.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue {
      throw problem("There is a file of that name.")
    }
    do {
      try files.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      // Foundation's errors often do not name the cause or the fix. The system's errors name the
      // cause, unless a parent directory could not be made.
      if mkdir(path, 0o700) == 0 { return }
      throw problem(
        errno == ENOENT ? error.localizedDescription : String(cString: strerror(errno)) + ".")
    }
    guard files.isWritableFile(atPath: path) else { throw problem("You may not write there.") }
  }

  /// Keeps other processes from using the directory until this process ends.
  ///
  /// The system removes the lock when the process ends, also after a crash.
  func lock() throws(StartError) {
    let descriptor = open(file("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isUsed = errno == EWOULDBLOCK
      if descriptor >= 0 { close(descriptor) }
      throw problem(isUsed ? "Another process uses this directory." : "You may not write there.")
    }
    // The descriptor stays open on purpose: it holds the lock.
  }

  /// The key that signs the cookies of browsers, which is made at the first call.
  ///
  /// The board stores names by browser, so the key is stored with the board.
  func cookieKey() throws(StartError) -> [UInt8] {
    let file = file("cookie.key")
    if let key = FileManager.default.contents(atPath: file), key.count >= 16 { return Array(key) }
    var source = SystemRandomNumberGenerator()
    let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) }
    let isStored = FileManager.default.createFile(
      atPath: file, contents: Data(key), attributes: [.posixPermissions: 0o600])
    guard isStored else { throw problem("You may not write there.") }
    return key
  }

  private func problem(_ reason: String) -> StartError {
    .directory(path: path, reason: reason)
  }
}

/// The reason why the board could not start.
enum StartError: Error, Equatable, CustomStringConvertible {
  /// The data directory cannot be used.
  case directory(path: String, reason: String)
  /// The database cannot be opened. The reason is the store's text.
  case database(path: String, reason: String)
  /// The database is damaged. The reason is the store's text.
  case damaged(path: String, reason: String)
  /// The server cannot listen.
  case server(reason: String)
  /// The output of a command cannot be written completely.
  case output
  /// The task of the start was cancelled.
  case cancelled
  /// Parts that were open could not be closed properly after a failed or cancelled start.
  ///
  /// The texts are the failure of the start, or `nil` if the start was cancelled, and the failures
  /// of the parts.
  case notClosed(start: String?, failures: [String])

  /// The problem and its fix.
  var description: String {
    switch self {
    case .directory(let path, let reason):
      "\(path) cannot hold the board. \(reason) Choose another directory with --data."
    case .database(let path, let reason):
      "The board in \(path) cannot be opened. \(reason)"
    case .damaged(let path, let reason):
      """
      The board in \(path) is damaged and was left as it is: \(reason).
      Put a copy from a backup in its place. Or move it away, together with \(path)-wal and \
      \(path)-shm where they exist: the next start then begins a new board.
      """
    case .server(let reason): reason
    case .output:
      "The output is incomplete. The disk may be full, or the program that reads it has ended."
    case .cancelled: "The start was cancelled."
    case .notClosed(let start, let failures):
      ([start].compactMap(\.self) + failures).joined(separator: "\n")
    }
  }
}
