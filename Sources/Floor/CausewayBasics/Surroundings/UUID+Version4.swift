package import Foundation

extension UUID {
  /// Makes an identifier of version 4 from random numbers (RFC 9562, 5.4).
  package init(version4 words: (UInt64, UInt64)) {
    let high = words.0 & ~0xf000 | 0x4000
    let low = words.1 & ~(0b11 << 62) | 0b10 << 62
    self = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }
}
