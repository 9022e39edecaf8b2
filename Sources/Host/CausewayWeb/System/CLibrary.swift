import CMicroHTTPD
import CausewaySystem

/// Declarations that differ between the C libraries of the supported systems.
enum CLibrary {
  #if canImport(Darwin) || canImport(Musl)
    /// The type of a TCP socket.
    static let streamSocket = Int32(SOCK_STREAM)
    private static let openFiles = RLIMIT_NOFILE
  #else
    /// The type of a TCP socket; glibc declares it as an enum.
    static let streamSocket = Int32(SOCK_STREAM.rawValue)
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
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
