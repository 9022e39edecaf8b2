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

  /// Raises this process's limit of open files if it is too low for so many connections.
  ///
  /// It leaves room for the other files of the program, and raises the limit as far as the system
  /// allows.
  static func raiseOpenFileLimit(toHold connections: Int) {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return }
    let wanted = rlim_t(connections + 256)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    setrlimit(openFiles, &limit)
  }
}
