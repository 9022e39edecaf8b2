import CausewayWeb
import Foundation

/// The directory that holds the board.
struct DataDirectory: Sendable, Equatable {
  private let directory: ServerDirectory
  var path: String { directory.path }

  /// The database of the device: boards, links, and changes that the server does not have yet.
  var database: String { file("device.sqlite") }
  /// The database of the backend.
  var serverDatabase: String { file("server.sqlite") }

  /// The last events of the pages.
  var ring: String { file("inspector.ring") }

  init(path: String) { directory = ServerDirectory(path: path) }

  /// Uses the given directory, or the default directory of the current user.
  init(asked: String?, environment: [String: String], home: String = NSHomeDirectory()) {
    directory =
      asked.map { ServerDirectory(path: $0) }
      ?? ServerDirectory(of: "harbor", environment: environment, home: home)
  }

  /// A file or folder inside it.
  func file(_ name: String) -> String { directory.file(name) }

  /// Makes the directory if it is missing.
  func prepare() throws(StartError) { try reporting(directory.prepare) }

  /// Keeps other processes from using the directory until this process ends.
  func lock() throws(StartError) { try reporting(directory.lock) }

  /// The key that signs the cookies of browsers.
  ///
  /// The board stores names by browser, so the key is stored with the board.
  func cookieKey() throws(StartError) -> [UInt8] { try reporting(directory.cookieKey) }

  private func reporting<Value>(
    _ work: () throws(ServerDirectoryError) -> Value
  ) throws(StartError) -> Value {
    do { return try work() } catch { throw .directory(path: error.path, reason: error.reason) }
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
  /// The texts are the failure of the start, or `nil` if it was cancelled, and those of the parts.
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
