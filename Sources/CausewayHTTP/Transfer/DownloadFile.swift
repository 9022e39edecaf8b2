import CausewayData
import Foundation

/// A file that appears at its path when all of it is there.
///
/// Only its owner can read it: what a server sends to a signed-in account is nobody else's.
/// It is written beside its path and moved there: a failure leaves what was there before.
struct DownloadFile: Sendable {
  private let path: String
  private let partPath: String
  private let descriptor: Int32

  /// Creates the file beside its path.
  init(path: String) throws(NetworkError) {
    self.path = path
    partPath = "\(path).\(UUID().uuidString.prefix(8)).part"
    descriptor = open(partPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.error("could not be created", partPath) }
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Foundation.write(descriptor, part.baseAddress, part.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.error("could not be written", partPath)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Moves the file to its path.
  func commit() throws(NetworkError) {
    guard fsync(descriptor) == 0 else { throw Self.error("could not be stored", partPath) }
    guard rename(partPath, path) == 0 else { throw Self.error("could not be moved", partPath) }
    close(descriptor)
  }

  /// Deletes what there is of it.
  func discard() {
    close(descriptor)
    unlink(partPath)
  }

  private static func error(_ what: String, _ path: String) -> NetworkError {
    NetworkError(.file, message: "the file \(path) \(what): \(String(cString: strerror(errno)))")
  }
}
