import Foundation

/// How many files and sockets this process may have open.
enum OpenFileLimit {
  /// Raises the soft limit as far as the hard limit allows, when it could not hold so many
  /// connections beside what a program usually has open.
  static func raise(toHold connections: Int) {
    #if canImport(Darwin)
      let resource = RLIMIT_NOFILE
    #else
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    let wanted = rlim_t(connections + 256)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    setrlimit(resource, &limit)
  }
}
