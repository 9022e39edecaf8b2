import CausewaySystem
import Foundation

/// The names under which downloads to one path are written until they are whole.
///
/// Not mistaken for a file of somebody else: whatever has such a name may be deleted.
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

  /// A path that no other download has.
  func random() -> String {
    "\(folder)\(prefix)\(UUID().uuidString.prefix(Self.digits))\(Self.suffix)"
  }

  /// Deletes the files of downloads whose process has ended before them.
  ///
  /// A failure is none: the file stays for the next time. Complexity: O(*n*) in the number of files
  /// in the folder.
  func removeLeftovers() {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    for name in names where isPart(name) {
      // Held while it is deleted, so that its download cannot begin meanwhile. Without locks, nobody
      // knows which ones are running, and all stay.
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
