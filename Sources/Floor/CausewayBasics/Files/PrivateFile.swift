import CausewaySystem
import Foundation
import Synchronization

/// A small file that only its owner can read, and that is replaced in one step.
///
/// Several processes may change the file; the last change counts. New contents are first written to
/// a temporary file of the process. `remove` also removes the temporary files of other processes,
/// because these processes may have ended. If such a process is still replacing the file, its
/// replacement fails.
package struct PrivateFile: Sendable {
  /// The largest accepted size, in bytes.
  static let sizeLimit = 1 << 20

  /// This lock is held while any private file is changed.
  private static let changing = Mutex(())

  package let path: String
  /// The file system for replacing, removing and renaming.
  ///
  /// Tests replace it to make operations fail. Simulations replace it with their own files.
  let files: any FileSystem

  package init(path: String, files: any FileSystem = PosixFiles()) {
    self.path = path
    self.files = files
  }

  /// The temporary file for new contents.
  ///
  /// In a simulation, the name has no process identifier, because it must not differ between runs.
  private var newPath: String { files.hasOwners ? "\(path).\(getpid()).new" : leftPath }
  /// A temporary file whose process has ended.
  private var leftPath: String { "\(path).new" }
  /// The name of a damaged file that was set aside.
  private var damagedPath: String { "\(path).damaged" }

  private var folder: String {
    let folder = (path as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  /// Returns the contents of the file, `nil` if there is none.
  ///
  /// A later power failure cannot restore older contents. A process may have ended after it renamed
  /// the file and before it synchronised the folder, so `read` synchronises the folder.
  package func read() throws(PrivateFileError) -> [UInt8]? {
    guard let bytes = try contents() else { return nil }
    // Errors are ignored: no process has renamed a file in a folder that only permits reading.
    try? files.synchronizeDirectory(folder)
    return bytes
  }

  private func contents() throws(PrivateFileError) -> [UInt8]? {
    guard files.hasOwners else {
      do throws(FileError) { return try files.read(path) } catch { throw failure(error) }
    }
    // Links are not followed, because only the folder of this path is checked, not the folder of a
    // target.
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

  /// Replaces the file.
  ///
  /// A reader finds either the old or the new contents.
  package func replace(_ bytes: [UInt8]) throws(PrivateFileError) {
    try Self.changing.withLock { _ throws(PrivateFileError) in try replaceAlone(bytes) }
  }

  private func replaceAlone(_ bytes: [UInt8]) throws(PrivateFileError) {
    try checkFolder()
    do throws(FileError) {
      // A process that has ended may have left this file, perhaps with wrong permissions.
      for path in Set([newPath, leftPath]) { try files.remove(path) }
      try files.put(bytes, at: path, by: newPath)
    } catch {
      throw failure(error)
    }
    // An error is ignored, because the file already has its new contents.
    try? files.synchronizeDirectory(folder)
  }

  /// Deletes the file and all other files that may have its contents.
  package func remove() throws(PrivateFileError) {
    try Self.changing.withLock { _ throws(PrivateFileError) in
      var first: PrivateFileError?
      let temporary = files.hasOwners ? [newPath, leftPath] : [newPath]
      for path in [path] + temporary + [damagedPath] {
        do throws(FileError) { try files.remove(path) } catch {
          first = first ?? failure(error, path)
        }
      }
      do throws(FileError) {
        for path in try othersTemporaryPaths() { try files.remove(path) }
      } catch {
        if error.code != ENOENT { first = first ?? failure(error) }
      }
      // Until the folder is synchronised, a power failure can restore the file.
      do throws(FileError) { try files.synchronizeDirectory(folder) } catch {
        // A folder that does not exist has no file.
        if error.code != ENOENT { first = first ?? failure(error) }
      }
      if let first { throw first }
    }
  }

  /// The temporary files of other processes.
  private func othersTemporaryPaths() throws(FileError) -> [String] {
    guard files.hasOwners else { return [] }
    let prefix = "\((path as NSString).lastPathComponent)."
    return try files.list(folder).map(\.name)
      .filter { $0.hasPrefix(prefix) && $0.hasSuffix(".new") }
      .map { "\(folder)/\($0)" }
  }

  /// Locks the file against other processes that call `lock()`, until the result is released.
  ///
  /// The lock is a separate file, because a change replaces the file itself. The lock file is not
  /// removed. Reads and changes of the file do not wait for the lock.
  ///
  /// - Returns: `nil` if another process has the lock.
  package func lock() throws(PrivateFileError) -> (any Sendable)? {
    // The files of a simulated node belong to one process.
    guard files.hasOwners else { return path }
    try checkFolder()
    let lockPath = "\(path).lock"
    do throws(FileError) {
      return try files.lock(lockPath)
    } catch {
      if error.code == EWOULDBLOCK { return nil }
      throw failure(error, lockPath)
    }
  }

  /// Renames the file.
  ///
  /// Returns the new path, `nil` if that failed.
  package func setAside() -> String? {
    do throws(FileError) {
      try files.rename(path, to: damagedPath)
      return damagedPath
    } catch {
      return nil
    }
  }

  /// Throws if other users can replace files in the folder.
  private func checkFolder() throws(PrivateFileError) {
    guard files.hasOwners else { return }
    var status = stat()
    guard stat(folder, &status) == 0 else { throw failure() }
    let isOpen = status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0
    if isOpen { throw .notPrivate(path: path, fix: "chmod go-w '\(folder)'") }
  }

  private func failure() -> PrivateFileError {
    failure(FileError("", path, code: errno))
  }

  private func failure(_ error: FileError, _ path: String? = nil) -> PrivateFileError {
    .system(path: path ?? self.path, reason: String(cString: strerror(error.code)))
  }
}

/// The reason why a private file could not be read or changed.
package enum PrivateFileError: Error {
  /// Other users may read, change or replace the file; `fix` is the command that corrects it.
  case notPrivate(path: String, fix: String)
  /// The system failed to read or write.
  case system(path: String, reason: String)
}
