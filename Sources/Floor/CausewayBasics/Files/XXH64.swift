/// The 64-bit checksum XXH64 of the xxHash family, published by Yann Collet.
///
/// It detects accidental damage such as truncated files and flipped bits, but not forgery. The
/// specification is at https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md.
enum XXH64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// Returns the checksum of bytes.
  ///
  /// - Complexity: O(number of bytes).
  static func checksum(of bytes: some Sequence<UInt8>, seed: UInt64 = 0) -> UInt64 {
    bytes.withContiguousStorageIfAvailable { checksum(of: UnsafeRawBufferPointer($0), seed: seed) }
      ?? Array(bytes).withUnsafeBytes { checksum(of: $0, seed: seed) }
  }

  static func checksum(of bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
    var offset = 0
    var sum: UInt64
    if bytes.count >= 32 {
      var lanes = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
      while offset + 32 <= bytes.count {
        lanes.0 = round(lanes.0, word(bytes, offset))
        lanes.1 = round(lanes.1, word(bytes, offset + 8))
        lanes.2 = round(lanes.2, word(bytes, offset + 16))
        lanes.3 = round(lanes.3, word(bytes, offset + 24))
        offset += 32
      }
      sum =
        rotate(lanes.0, 1) &+ rotate(lanes.1, 7) &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
        sum = (sum ^ round(0, lane)) &* prime1 &+ prime4
      }
    } else {
      sum = seed &+ prime5
    }
    sum &+= UInt64(bytes.count)
    while offset + 8 <= bytes.count {
      sum = rotate(sum ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= bytes.count {
      let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      sum = rotate(sum ^ (UInt64(half) &* prime1), 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < bytes.count {
      sum = rotate(sum ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
      offset += 1
    }
    sum = (sum ^ (sum >> 33)) &* prime2
    sum = (sum ^ (sum >> 29)) &* prime3
    return sum ^ (sum >> 32)
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, 31) &* prime1
  }

  private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }
}
