import CausewaySystem
import Foundation
import Synchronization

/// A small file that only its owner can read, and that is replaced in one step.
///
/// One process at a time may change it: what is new is first written beside it, under a name that
/// does not vary, so that removing finds what an ended process left.
struct PrivateFile: Sendable {
  /// The largest size in bytes; a larger file is refused.
  static let sizeLimit = 1 << 20

  /// Held while any of these files is changed.
  private static let changing = Mutex(())

  let path: String
  /// What it is replaced, removed and moved with; a test has it fail.
  var files: any FileSystem = PosixFiles()

  /// Where new content is until all of it is there.
  private var newPath: String { "\(path).new" }
  /// Where damaged content is moved to.
  private var damagedPath: String { "\(path).damaged" }

  private var folder: String {
    let folder = (path as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  /// What is in the file, `nil` if there is none.
  func read() throws(PrivateFileError) -> [UInt8]? {
    // Without following a link: it would lead to a file that was not checked.
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw failure()
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure() }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.sizeLimit else {
      throw .system(path: path, reason: "it is not a small regular file")
    }
    guard status.st_uid == geteuid() else {
      throw .notPrivate(path: path, fix: "chown $(id -u) '\(path)'")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw .notPrivate(path: path, fix: "chmod 600 '\(path)'")
    }
    try checkFolder()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= Self.sizeLimit {
      let count = CausewaySystem.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure()
      }
      bytes.append(contentsOf: buffer[..<count])
    }
    throw .system(path: path, reason: "it grew while it was read")
  }

  /// Replaces the file; a reader finds all of the old or all of the new content.
  func replace(_ bytes: [UInt8]) throws(PrivateFileError) {
    try Self.changing.withLock { _ throws(PrivateFileError) in try replaceAlone(bytes) }
  }

  private func replaceAlone(_ bytes: [UInt8]) throws(PrivateFileError) {
    try checkFolder()
    do throws(FileError) {
      // A process that ended while it wrote left it, perhaps readable by others.
      try files.remove(newPath)
      try files.put(bytes, at: path, by: newPath)
    } catch {
      throw failure(error)
    }
    synchronizeFolder()
  }

  /// Deletes the file, if there is one, and the other files that may have its content.
  func remove() throws(PrivateFileError) {
    try Self.changing.withLock { _ throws(PrivateFileError) in
      var first: PrivateFileError?
      for path in [path, newPath, damagedPath] {
        do throws(FileError) { try files.remove(path) } catch {
          first = first ?? failure(error, path)
        }
      }
      synchronizeFolder()
      if let first { throw first }
    }
  }

  /// Moves the file aside; returns where to, `nil` if that failed.
  func setAside() -> String? {
    do throws(FileError) {
      try files.rename(path, to: damagedPath)
      return damagedPath
    } catch {
      return nil
    }
  }

  /// Refuses a folder in which others may put another file in the place of this one.
  private func checkFolder() throws(PrivateFileError) {
    var status = stat()
    guard stat(folder, &status) == 0 else { throw failure() }
    let isOpen = status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0
    if isOpen { throw .notPrivate(path: path, fix: "chmod go-w '\(folder)'") }
  }

  /// The new name is on the disk only when the folder is.
  ///
  /// Failures are ignored: the file already has its contents.
  private func synchronizeFolder() {
    try? files.synchronizeDirectory(folder)
  }

  private func failure() -> PrivateFileError {
    failure(FileError("", path, code: errno))
  }

  private func failure(_ error: FileError, _ path: String? = nil) -> PrivateFileError {
    .system(path: path ?? self.path, reason: String(cString: strerror(error.code)))
  }
}

/// Why a private file could not be read or changed.
enum PrivateFileError: Error {
  /// Other users may read, change or replace the file; `fix` is the command that corrects it.
  case notPrivate(path: String, fix: String)
  /// The system failed to read or write.
  case system(path: String, reason: String)
}
