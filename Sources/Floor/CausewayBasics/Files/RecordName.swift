import Foundation

/// The name of the file that stores a key.
///
/// A short key is written in hexadecimal digits. So no two short keys share a name, even on a file
/// system that ignores case. A long key is written as two checksums. If two long keys share a name,
/// the key inside the file distinguishes them.
package struct RecordName: Hashable {
  /// The key in its stored form, in which equal strings have equal bytes.
  package let key: String
  package let file: String

  package init(_ key: String) {
    let isPlain = key.utf8.allSatisfy { $0 < 0x80 }
    self.key = isPlain ? key : key.precomposedStringWithCanonicalMapping
    let bytes = Array(self.key.utf8)
    if bytes.count <= 100 {
      file = Self.hexadecimal("r-", bytes)
    } else {
      let sums = [XXH64.checksum(of: bytes), XXH64.checksum(of: bytes, seed: 1)]
      file = Self.hexadecimal(
        "h-",
        sums.flatMap { sum in (0..<8).map { UInt8(truncatingIfNeeded: sum >> (56 - 8 * $0)) } })
    }
  }

  /// Whether a file may be a record.
  package static func isRecord(_ file: String) -> Bool {
    let digits = file.dropFirst(2).utf8
    guard digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
      return false
    }
    if file.hasPrefix("r-") { return digits.count <= 200 && digits.count.isMultiple(of: 2) }
    return file.hasPrefix("h-") && digits.count == 32
  }

  /// Writes the digits in one step, which is fast, because each read of a file makes its name.
  private static func hexadecimal(_ prefix: StaticString, _ bytes: [UInt8]) -> String {
    func digit(_ half: UInt8) -> UInt8 { half < 10 ? 0x30 + half : 0x57 + half }
    let count = prefix.utf8CodeUnitCount
    return String(unsafeUninitializedCapacity: count + 2 * bytes.count) { buffer in
      for index in 0..<count { buffer[index] = prefix.utf8Start[index] }
      for (index, byte) in bytes.enumerated() {
        buffer[count + 2 * index] = digit(byte >> 4)
        buffer[count + 2 * index + 1] = digit(byte & 15)
      }
      return count + 2 * bytes.count
    }
  }
}
