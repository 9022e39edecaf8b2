public import Foundation

/// The directory of a server's data: only for its user, and for one process at a time.
///
/// ```swift
/// let directory = ServerDirectory(of: "board", environment: ProcessInfo.processInfo.environment)
/// try directory.prepare()
/// try directory.lock()
/// configuration.cookieKey = try directory.cookieKey()
/// ```
public struct ServerDirectory: Sendable, Equatable {
  /// The path of the directory.
  public let path: String

  /// A directory with a path.
  public init(path: String) { self.path = path }

  /// The default directory of the current user.
  ///
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - environment: The environment of the process.
  ///   - home: The home directory of the user.
  public init(
    of name: String, environment: [String: String], home: String = NSHomeDirectory()
  ) {
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      // The XDG specification requires that a relative path is ignored.
      path = "\(data)/\(name)"
    } else {
      #if os(macOS)
        path = "\(home)/Library/Application Support/\(name)"
      #else
        path = "\(home)/.local/share/\(name)"
      #endif
    }
  }

  /// The path of a file or folder in the directory.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes the directory if it is missing.
  ///
  /// Only its owner can read it.
  public func prepare() throws(ServerDirectoryError) {
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
  public func lock() throws(ServerDirectoryError) {
    let descriptor = open(file("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isUsed = errno == EWOULDBLOCK
      if descriptor >= 0 { close(descriptor) }
      throw problem(isUsed ? "Another process uses this directory." : "You may not write there.")
    }
    // The descriptor stays open on purpose: it holds the lock.
  }

  /// The key that signs the cookies of browsers, which is made at the first call.
  public func cookieKey() throws(ServerDirectoryError) -> [UInt8] {
    let file = file("cookie.key")
    if let key = FileManager.default.contents(atPath: file), key.count >= 16 { return Array(key) }
    var source = SystemRandomNumberGenerator()
    let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) }
    let isStored = FileManager.default.createFile(
      atPath: file, contents: Data(key), attributes: [.posixPermissions: 0o600])
    guard isStored else { throw problem("You may not write there.") }
    return key
  }

  private func problem(_ reason: String) -> ServerDirectoryError {
    ServerDirectoryError(path: path, reason: reason)
  }
}

/// The reason why a directory cannot be used.
public struct ServerDirectoryError: Error, Equatable, CustomStringConvertible {
  /// The path of the directory, and the reason as a sentence.
  public let path, reason: String

  /// The path and the reason.
  public var description: String { "\(path) cannot be used. \(reason)" }
}
