import CausewaySystem
import Foundation

extension PosixFiles {
  package func lockHolder(_ path: String) -> Int32? {
    #if os(Linux)
      var status = stat()
      guard stat(path, &status) == 0, let list = FileManager.default.contents(atPath: "/proc/locks")
      else { return nil }
      let device = UInt64(status.st_dev)
      let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
      let minor = device & 0xFF | (device >> 12) & ~0xFF
      let file = [major, minor].map { hexadecimal($0) } + ["\(status.st_ino)"]
      // For example: `1: FLOCK  ADVISORY  WRITE 4711 08:01:131072 0 EOF`. A process that waits for
      // the lock has an arrow in place of the kind.
      for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count > 5, words[1] == "FLOCK", words[5] == file.joined(separator: ":")
        else { continue }
        return Int32(words[4])
      }
    #endif
    return nil
  }

  private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return digits.count < 2 ? "0\(digits)" : digits
  }
}
