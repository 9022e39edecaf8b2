import CausewayData
import CausewaySystem

/// Keeps others from taking the file of a running download for a leftover.
///
/// By a lock, because the system releases it however the process ends. The lock is not that of the
/// descriptor that is written to: that one is closed before the file is moved to its place.
final class PartLock: Sendable {
  private let descriptor: Int32
  /// Whether others are kept off; not where the file system knows no locks.
  let isExclusive: Bool

  /// Holds a file for as long as this lives; `nil` if somebody else does, or has deleted it.
  convenience init?(_ path: String) throws(FileError) {
    // To write, because network file systems want that for an exclusive lock.
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw FileError("open", path, code: errno)
    }
    self.init(descriptor)
  }

  /// Holds an open file and closes it in the end.
  init?(_ descriptor: Int32) {
    self.descriptor = descriptor
    isExclusive = flock(descriptor, LOCK_EX | LOCK_NB) == 0
    if !isExclusive, errno == EWOULDBLOCK { return nil }
    // Whoever held it when it was opened may have deleted it since.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_nlink > 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
  }

  deinit {
    // A child process that is being started just now has a copy of the descriptor, and with it the
    // lock.
    if isExclusive { flock(descriptor, LOCK_UN) }
    close(descriptor)
  }
}
