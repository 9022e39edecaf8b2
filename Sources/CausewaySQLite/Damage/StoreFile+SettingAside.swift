public import CausewayData
import CausewaySystem
import Foundation

extension StoreFile {
  /// How many damaged files are kept, so that a failing disk does not fill up with them.
  private static let limit = 3
  private static let companions = ["-shm", "-wal"]

  /// Renames the file with its log, out of the way of a new one.
  ///
  /// No connection of this process may have it open.
  ///
  /// - Parameter expected: The file that is damaged.
  /// - Returns: Where it is now; `nil` if another process has moved it away meanwhile.
  func setAside(_ expected: Identity) throws(PersistenceError) -> String? {
    // Whoever gets this lock second finds another file under the path. The lock belongs to the
    // damaged file itself, so that none is left behind.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX) == 0 else { throw failure("lock") }
    guard expected.isSameFile(as: identity) else { return nil }
    let number = makeRoom()
    let target = "\(path).damaged-\(number)"
    // The main file comes last: until then, a crash leaves a damaged file that is found again, and
    // never an old log beside a new file.
    for companion in Self.companions where Self.identity(of: path + companion) != nil {
      guard rename(path + companion, target + companion) == 0 else { throw failure("rename") }
    }
    guard rename(path, target) == 0 else { throw failure("rename") }
    return target
  }

  /// Removes the oldest files that were set aside; returns the number of the next.
  private func makeRoom() -> Int {
    let url = URL(fileURLWithPath: path)
    let prefix = url.lastPathComponent + ".damaged-"
    let directory = url.deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let numbers = names.compactMap { $0.hasPrefix(prefix) ? Int($0.dropFirst(prefix.count)) : nil }
      .sorted()
    for number in numbers.dropLast(Self.limit - 1) {
      for suffix in Self.companions + [""] { unlink("\(path).damaged-\(number)\(suffix)") }
    }
    return (numbers.last ?? 0) + 1
  }

  private func failure(_ action: String) -> PersistenceError {
    let reason = String(cString: strerror(errno))
    return PersistenceError(
      .inputOutput, message: "Could not \(action) the damaged file \(path): \(reason)")
  }
}

extension SQLiteService {
  /// Renames a damaged file with its log, so that a service can be opened anew under its path.
  ///
  /// For rows that are nowhere else, where the decision is not the service's: tell the person, keep
  /// the file for a repair, and open again. Close the service first. The three newest damaged files
  /// are kept.
  ///
  /// - Returns: Where the file is now; `nil` if there is none.
  /// - Throws: `PersistenceError` if the directory cannot be written.
  public static func setAside(path: String) throws(PersistenceError) -> String? {
    let file = StoreFile(path: path)
    guard let identity = file.identity else { return nil }
    return try file.setAside(identity)
  }
}
