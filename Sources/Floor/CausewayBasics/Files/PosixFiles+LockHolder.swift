import CausewaySystem
import Foundation

extension PosixFiles {
  package func lockHolder(_ path: String) -> Int32? {
    #if os(Linux)
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      let device = UInt64(status.st_dev)
      let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
      let minor = device & 0xFF | (device >> 12) & ~0xFF
      let file = "\(hexadecimal(major)):\(hexadecimal(minor)):\(status.st_ino)"
      // For example: `1: FLOCK  ADVISORY  WRITE 4711 08:01:131072 0 EOF`. In the line of a process
      // that waits for the lock, an arrow is in the place of the kind.
      for line in Self.locks.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count > 5, words[1] == "FLOCK", words[5] == file else { continue }
        return Int32(words[4])
      }
    #endif
    return nil
  }

  #if os(Linux)
    /// The text of the system's list of locks; empty if the system does not show it.
    ///
    /// It can miss a lock while other locks change.
    private static var locks: String {
      guard let file = fopen("/proc/locks", "re") else { return "" }
      defer { fclose(file) }
      // The file has no size, and each read returns only a part of a long list.
      var list: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 4_096)
      while case let count = fread(&part, 1, part.count, file), count > 0 {
        list += part.prefix(count)
      }
      return String(decoding: list, as: UTF8.self)
    }

    private func hexadecimal(_ number: UInt64) -> String {
      let digits = String(number, radix: 16)
      return digits.count < 2 ? "0\(digits)" : digits
    }
  #endif
}
