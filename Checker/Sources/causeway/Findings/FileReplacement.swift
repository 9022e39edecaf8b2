import Foundation

/// Replaces files atomically.
///
/// The new text is written to a temporary file in the same folder. The temporary file is then
/// renamed to the name of the file. The process locks the temporary file, and the system releases
/// the lock if the process is killed. A later run can therefore distinguish leftover files from
/// files in use.
enum FileReplacement {
  private static let prefix = ".causeway-"

  /// Replaces a file if it still has the original text.
  ///
  /// It does nothing if the file already has the new text. This happens if a file has two paths.
  static func write(_ fixed: SourceFile, over original: SourceFile) throws(SourceFileError) {
    // A symbolic link stays: its target is replaced.
    let path = URL(fileURLWithPath: original.path).resolvingSymlinksInPath().path
    let contents = FileManager.default.contents(atPath: path)
    if contents == bytes(of: fixed) { return }
    guard contents == bytes(of: original) else {
      throw SourceFileError(path: original.path, message: "the file has changed since it was read")
    }
    let folder = (path as NSString).deletingLastPathComponent
    let temporary =
      folder + "/\(prefix)\(ProcessInfo.processInfo.processIdentifier)-"
      + (path as NSString).lastPathComponent
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw SourceFileError(path: original.path, message: "its folder cannot be written to")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      _ = flock(descriptor, LOCK_EX | LOCK_NB)
      var attributes = stat()
      if stat(path, &attributes) == 0 {
        // Only a privileged process can keep another user as the owner.
        _ = fchown(descriptor, attributes.st_uid, attributes.st_gid)
        _ = fchmod(descriptor, attributes.st_mode & 0o7777)
      }
      try handle.write(contentsOf: bytes(of: fixed))
      try handle.synchronize()
    } catch {
      unlink(temporary)
      throw SourceFileError(
        path: original.path, message: "writing failed: \(error.localizedDescription)")
    }
    guard rename(temporary, path) == 0 else {
      unlink(temporary)
      throw SourceFileError(path: original.path, message: "the file cannot be replaced")
    }
  }

  /// Removes the temporary files that killed processes left in the folders of the files.
  static func removeLeftovers(besides paths: [String]) {
    let folders = Set(
      paths.map { path in
        URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
      })
    for folder in folders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names where isTemporary(name) {
        let descriptor = open(folder + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { continue }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(folder + "/" + name) }
        close(descriptor)
      }
    }
  }

  /// Whether a name has the form `.causeway-PID-NAME.swift`.
  private static func isTemporary(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(".swift") else { return false }
    let rest = name.dropFirst(prefix.count)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    return !digits.isEmpty && rest.dropFirst(digits.count).first == "-"
  }

  private static func bytes(of file: SourceFile) -> Data {
    Data((file.hasByteOrderMark ? [0xEF, 0xBB, 0xBF] : []) + Array(file.text.utf8))
  }
}
