import CausewayBasics
import CausewayDatabase
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
  func setAside(_ expected: FileIdentity) throws(PersistenceError) -> String? {
    // If two processes set the file aside, the second one to get this lock finds another file at
    // the path. The damaged file itself is locked, so no lock file is left behind.
    let lock: (any Sendable)?
    do throws(FileError) { lock = try files.lockExisting(path) } catch {
      throw failure("lock", error)
    }
    guard let lock else { return nil }
    defer { withExtendedLifetime(lock) {} }
    guard expected.isSameFile(as: identity) else { return nil }
    let number = makeRoom()
    let target = "\(path).damaged-\(number)"
    // The main file is renamed last. After a crash before this step, the damage is detected again.
    // An old log never lies beside a new file.
    for companion in Self.companions where files.identity(path + companion) != nil {
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
      try? files.remove("\(path).damaged-\(number)\(suffix)")
    }
  }

  private func move(_ path: String, to target: String) throws(PersistenceError) {
    do throws(FileError) { try files.rename(path, to: target) } catch {
      throw failure("rename", error)
    }
  }

  private var setAsideNumbers: [Int] {
    let url = URL(fileURLWithPath: path)
    let prefix = url.lastPathComponent + ".damaged-"
    let directory = url.deletingLastPathComponent().path
    let entries = (try? files.list(directory)) ?? []
    let numbers = entries.map(\.name).compactMap {
      $0.hasPrefix(prefix) ? Int32($0.dropFirst(prefix.count)) : nil
    }
    return numbers.map(Int.init).sorted()
  }

  private func failure(_ action: String, _ error: FileError) -> PersistenceError {
    let reason = String(cString: strerror(error.code))
    return PersistenceError(
      .inputOutput, message: "Could not \(action) the damaged file \(path): \(reason)")
  }
}
