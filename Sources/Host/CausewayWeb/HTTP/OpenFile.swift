import Foundation

/// A file that is open for reading.
///
/// Releasing the object closes the file.
final class OpenFile: Sendable {
  let descriptor: Int32
  let size: UInt64
  let entityTag: String

  /// Opens a regular file; nil if it does not exist or cannot be read.
  convenience init?(path: String) {
    // O_NONBLOCK: a named pipe in a served folder must not block the thread.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    self.init(descriptor)
  }

  /// Writes the content of a new file; closes the descriptor and returns nil if the content does
  /// not fit.
  convenience init?(_ descriptor: Int32, writing content: some DataProtocol) {
    for region in content.regions {
      let isWritten = region.withUnsafeBytes { bytes in
        var written = 0
        while written < bytes.count {
          let count = write(
            descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { return false }
          written += count
        }
        return true
      }
      guard isWritten else {
        close(descriptor)
        return nil
      }
    }
    self.init(descriptor)
  }

  /// Takes over a descriptor; closes it and returns nil if it does not belong to a regular file.
  private init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    size = UInt64(status.st_size)
    let changed = CLibrary.modified(status)
    // The date of a file can be before 1970.
    let dates = [changed.tv_sec, changed.tv_nsec].map { UInt64(truncatingIfNeeded: $0) }
    let parts = [UInt64(status.st_ino), size] + dates
    entityTag = "\"" + parts.map { String($0, radix: 16) }.joined(separator: "-") + "\""
  }

  /// Reads at least one byte.
  ///
  /// - Throws: An error if the file has become shorter, or if the system reports one.
  func read(_ count: Int, at offset: UInt64) throws -> [UInt8] {
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let result = pread(descriptor, buffer.baseAddress, count, off_t(clamping: offset))
      if result <= 0 { failure = result == 0 ? EIO : errno }
      filled = max(0, result)
    }
    if let failure { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
    return bytes
  }

  deinit { close(descriptor) }
}
