import CMicroHTTPD
import Foundation

/// Declarations that differ between the C libraries of the supported systems.
enum CLibrary {
  #if canImport(Glibc)
    /// The type of a TCP socket; glibc declares it as an enum.
    static let streamSocket = Int32(SOCK_STREAM.rawValue)
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    /// The type of a TCP socket.
    static let streamSocket = Int32(SOCK_STREAM)
    private static let openFiles = RLIMIT_NOFILE
  #endif

  /// The time of the last change of a file's content.
  static func modified(_ status: stat) -> timespec {
    #if canImport(Darwin)
      status.st_mtimespec
    #else
      status.st_mtim
    #endif
  }

  /// Returns freed memory to the system, if the C library would otherwise keep it.
  ///
  /// It locks parts of the heap for some milliseconds. Do not call it on the main actor.
  static func releaseFreeMemory() { causeway_release_free_memory() }

  /// Raises this process's limit of open files as far as the server needs and the system allows.
  ///
  /// Returns the limit, or nil if the system does not report it.
  static func raiseOpenFileLimit(to files: Int) -> Int? {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return nil }
    let wanted = rlim_t(files)
    if limit.rlim_cur < wanted {
      let current = limit.rlim_cur
      limit.rlim_cur = min(wanted, limit.rlim_max)
      if setrlimit(openFiles, &limit) != 0 { limit.rlim_cur = current }
    }
    return Int(clamping: limit.rlim_cur)
  }
}

/// The connections that fit into this process's limit of open files.
struct OpenFileRoom: Equatable {
  /// Files of the program that are not connections of the server.
  private static let otherFiles = 256

  /// The number of connections that the server may accept.
  let connections: Int
  /// The problem if these are fewer than the configured ones.
  let problem: TooFewOpenFiles?

  /// Raises the limit of open files for the configured connections.
  init(raisingFor wanted: Int) {
    self.init(wanted: wanted, limit: CLibrary.raiseOpenFileLimit(to: wanted + Self.otherFiles))
  }

  /// - Parameter limit: The limit of open files; nil if it is unknown.
  init(wanted: Int, limit: Int?) {
    // With a very low limit, half of the files are for connections.
    let room = limit.map { max($0 - Self.otherFiles, $0 / 2) } ?? wanted
    connections = min(wanted, room)
    problem =
      room < wanted
      ? TooFewOpenFiles(
        connections: room, wanted: wanted, limit: limit ?? 0, needed: wanted + Self.otherFiles)
      : nil
  }
}

/// The limit of open files is too low for the configured connections.
struct TooFewOpenFiles: Error, Equatable, CustomStringConvertible {
  let connections: Int
  let wanted: Int
  let limit: Int
  let needed: Int

  var description: String {
    "This process may open \(limit) files, so the server accepts \(connections) connections instead "
      + "of \(wanted). Raise the limit to \(needed) with `ulimit -n` or systemd's LimitNOFILE, or "
      + "lower limits.connections."
  }
}
