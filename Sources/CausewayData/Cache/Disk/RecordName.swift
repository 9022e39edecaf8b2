import Foundation

/// The name of the file that stores a key.
///
/// A short key is written in hexadecimal digits. So no two keys share a name, whatever their
/// characters, even on a file system that ignores case. A long key is written as two checksums. If
/// two long keys share a name, the key inside the file distinguishes them.
struct RecordName: Hashable {
  /// The key as it is stored: equal strings have equal bytes.
  let key: String
  let file: String

  init(_ key: String) {
    let isPlain = key.utf8.allSatisfy { $0 < 0x80 }
    self.key = isPlain ? key : key.precomposedStringWithCanonicalMapping
    let bytes = Array(self.key.utf8)
    if bytes.count <= 100 {
      file = "r-" + bytes.map { Self.digits($0, count: 2) }.joined()
    } else {
      file =
        "h-" + Self.digits(XXH64.checksum(of: bytes), count: 16)
        + Self.digits(XXH64.checksum(of: bytes, seed: 1), count: 16)
    }
  }

  /// Whether a file may be a record.
  static func isRecord(_ file: String) -> Bool {
    let digits = file.dropFirst(2).utf8
    guard digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
      return false
    }
    if file.hasPrefix("r-") { return digits.count <= 200 && digits.count.isMultiple(of: 2) }
    return file.hasPrefix("h-") && digits.count == 32
  }

  private static func digits(_ number: some BinaryInteger, count: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: count - digits.count) + digits
  }
}
