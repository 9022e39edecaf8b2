import CausewaySystem

@testable import CausewayData

/// The process that an error about a file in use names: this one, or `nil` if the system does not
/// show its locks.
func namedHolder() throws -> Int32? {
  let directory = TemporaryDirectory()
  let path = directory.path + "/lock"
  let file = open(path, O_RDWR | O_CREAT, 0o600)
  defer { close(file) }
  flock(file, LOCK_EX)
  return PosixFiles().lockHolder(path).map { _ in getpid() }
}
