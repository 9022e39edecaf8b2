import CausewaySystem
import Foundation

/// The temporary names of unfinished downloads to one path.
///
/// The pattern is used only by this module, because every unlocked file that matches it may be
/// deleted.
struct PartName {
  private let folder: String
  private let prefix: String
  private static let suffix = ".part"
  private static let digits = 8

  init(_ path: String) {
    let slash = path.lastIndex(of: "/")
    folder = slash.map { String(path[...$0]) } ?? ""
    prefix = (slash.map { path[path.index(after: $0)...] } ?? path[...]) + ".causeway-"
  }

  /// A new random path.
  func random() -> String {
    "\(folder)\(prefix)\(UUID().uuidString.prefix(Self.digits))\(Self.suffix)"
  }

  /// Deletes the unfinished files of processes that have ended.
  ///
  /// Failures are ignored; the next download tries again. Complexity: O(*n*) in the number of files
  /// in the folder.
  func removeLeftovers() {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    for name in names where isPart(name) {
      // The lock is held while the file is deleted, so no download can start to use the file. If
      // the file system has no locks, running downloads cannot be recognised, so all files are
      // kept.
      guard let hold = try? PartLock(folder + name), hold.isExclusive else { continue }
      withExtendedLifetime(hold) { _ = unlink(folder + name) }
    }
  }

  private func isPart(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(Self.suffix) else { return false }
    let number = name.dropFirst(prefix.count).dropLast(Self.suffix.count)
    return number.count == Self.digits && number.allSatisfy(\.isHexDigit)
  }
}
