import Foundation

/// The directory that holds the board.
struct DataDirectory: Sendable, Equatable {
  let path: String

  /// The database inside it.
  var database: String { "\(path)/board.sqlite" }

  /// The directory that was asked for, or the usual one of the person who runs the program.
  init(asked: String?, environment: [String: String], home: String = NSHomeDirectory()) {
    if let asked {
      path = asked
    } else if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      // The specification says that a relative path there is to be ignored.
      path = "\(data)/harbor"
    } else {
      #if os(macOS)
        path = "\(home)/Library/Application Support/harbor"
      #else
        path = "\(home)/.local/share/harbor"
      #endif
    }
  }

  /// Makes the directory where it is missing, readable by its owner only.
  ///
  /// - Throws: ``StartError/directory(path:reason:)``.
  func prepare() throws(StartError) {
    var isDirectory: ObjCBool = false
    let files = FileManager.default
    if files.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue {
      throw .directory(path: path, reason: "There is a file of that name.")
    }
    do {
      try files.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .directory(path: path, reason: Self.reason(of: error))
    }
    guard files.isWritableFile(atPath: path) else {
      throw .directory(path: path, reason: "You may not write there.")
    }
  }

  /// The system's own words; Foundation's name neither the cause nor the fix.
  private static func reason(of error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
    if let cause, cause.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(cause.code))) + "."
    }
    return error.localizedDescription
  }
}

/// Why the board could not start.
enum StartError: Error, Equatable, CustomStringConvertible {
  /// The data directory cannot be used.
  case directory(path: String, reason: String)
  /// The database cannot be opened; the store's own words.
  case database(path: String, reason: String)
  /// The server cannot listen.
  case server(reason: String)

  /// What is wrong, and what to do.
  var description: String {
    switch self {
    case .directory(let path, let reason):
      "\(path) cannot hold the board. \(reason) Choose another directory with --data."
    case .database(let path, let reason):
      "The board in \(path) cannot be opened. \(reason)"
    case .server(let reason): reason
    }
  }
}
