import CausewayDatabase
import CausewayFiles
import CausewaySystem
import Foundation

extension StoreFile {
  /// The number of damaged files to keep.
  ///
  /// Without a limit, a failing disk could fill up with damaged files.
  private static let limit = 3
  private static let companions = ["-shm", "-wal"]

  /// Renames the file and its log, so a new file can be created at the same path.
  ///
  /// No connection of this process may have the file open.
  ///
  /// - Parameter expected: The identity of the damaged file.
  /// - Returns: The new path; `nil` if another process has moved the file in the meantime.
  func setAside(_ expected: Identity) throws(PersistenceError) -> String? {
    // If two processes set the file aside, the second one to get this lock finds another file at
    // the path. The damaged file itself is locked, so no lock file is left behind.
    let descriptor = host == nil ? open(path, O_RDONLY | O_CLOEXEC) : -1
    if host == nil {
      guard descriptor >= 0 else { return nil }
      guard flock(descriptor, LOCK_EX) == 0 else {
        defer { close(descriptor) }
        throw failure("lock")
      }
    }
    defer { if descriptor >= 0 { close(descriptor) } }
    guard expected.isSameFile(as: identity) else { return nil }
    let number = makeRoom()
    let target = "\(path).damaged-\(number)"
    // The main file is renamed last. After a crash before this step, the damage is detected again.
    // An old log never lies beside a new file.
    for companion in Self.companions where currentIdentity(of: path + companion) != nil {
      try move(path + companion, to: target + companion)
    }
    try move(path, to: target)
    return target
  }

  /// Removes all files that were set aside; they may contain deleted rows.
  func removeSetAside() {
    for number in setAsideNumbers { removeSetAside(number) }
  }

  /// Removes the oldest files that were set aside, and returns the next number.
  private func makeRoom() -> Int {
    let numbers = setAsideNumbers
    for number in numbers.dropLast(Self.limit - 1) { removeSetAside(number) }
    return (numbers.last ?? 0) + 1
  }

  private func removeSetAside(_ number: Int) {
    for suffix in Self.companions + [""] {
      let path = "\(path).damaged-\(number)\(suffix)"
      if let files = host?.files { try? files.remove(path) } else { unlink(path) }
    }
  }

  private func move(_ path: String, to target: String) throws(PersistenceError) {
    guard let files = host?.files else {
      guard rename(path, target) == 0 else { throw failure("rename") }
      return
    }
    do throws(FileError) { try files.rename(path, to: target) } catch {
      throw failure("rename", code: error.code)
    }
  }

  private var setAsideNumbers: [Int] {
    let url = URL(fileURLWithPath: path)
    let prefix = url.lastPathComponent + ".damaged-"
    let directory = url.deletingLastPathComponent().path
    let names =
      host.map { ((try? $0.files.list(directory)) ?? []).map(\.name) }
      ?? (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let numbers = names.compactMap {
      $0.hasPrefix(prefix) ? Int32($0.dropFirst(prefix.count)) : nil
    }
    return numbers.map(Int.init).sorted()
  }

  private func failure(_ action: String, code: Int32 = errno) -> PersistenceError {
    let reason = String(cString: strerror(code))
    return PersistenceError(
      .inputOutput, message: "Could not \(action) the damaged file \(path): \(reason)")
  }
}
