import CausewayBasics
import CausewaySystem

/// A file lock that protects the file of a running download from the deletion of leftovers.
///
/// The system releases the lock when the process ends, for whatever reason. The lock has its own
/// descriptor, because the descriptor for writing is closed before the file is moved.
final class PartLock: Sendable {
  private let descriptor: Int32
  /// Whether the lock is held.
  ///
  /// It is false on file systems without locks.
  let isExclusive: Bool

  /// Locks a file until `deinit`; `nil` if the file was deleted or another owner has locked it.
  convenience init?(_ path: String) throws(FileError) {
    // Network file systems require write access for an exclusive lock.
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw FileError("open", path, code: errno)
    }
    self.init(descriptor)
  }

  /// Locks an open file, and closes it in `deinit`.
  init?(_ descriptor: Int32) {
    self.descriptor = descriptor
    isExclusive = flock(descriptor, LOCK_EX | LOCK_NB) == 0
    if !isExclusive, errno == EWOULDBLOCK { return nil }
    // A previous owner of the lock may have deleted the file after it was opened here.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_nlink > 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
  }

  deinit {
    // Unlocks explicitly. A child process that is starting may have inherited the descriptor, and
    // the lock with it.
    if isExclusive { flock(descriptor, LOCK_UN) }
    close(descriptor)
  }
}
