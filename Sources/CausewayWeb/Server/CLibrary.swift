import Foundation

/// The declarations that the C libraries of the supported systems write differently.
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

  /// When a file's content last changed.
  static func modified(_ status: stat) -> timespec {
    #if canImport(Darwin)
      status.st_mtimespec
    #else
      status.st_mtim
    #endif
  }

  /// Raises the limit of open files and sockets of this process, as far as the system allows, if it
  /// cannot hold so many connections beside the files that a program usually has open.
  static func raiseOpenFileLimit(toHold connections: Int) {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return }
    let wanted = rlim_t(connections + 256)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    setrlimit(openFiles, &limit)
  }
}
