/// Records in a fixed number of bytes; a new record replaces the oldest ones.
///
/// A record has a head of 24 bytes and its payload, and begins at a multiple of 8:
///
///     UInt32  the mark
///     UInt32  the size of the payload in bytes
///     UInt64  the number of the record
///     UInt64  the checksum of the number and the payload
///
/// There is no list of the records. A reader looks at each place for a mark, and a record whose
/// checksum is wrong was torn or partly replaced. So no order of the stores can damage the ring.
struct RingBuffer: ~Copyable {
  static let mark: UInt32 = 0x4357_5245
  static let headSize = 24

  private let bytes: UnsafeMutableRawBufferPointer
  private var position = 0

  /// - Parameter bytes: Zeroed memory that the owner of the buffer keeps; a multiple of 8.
  init(_ bytes: UnsafeMutableRawBufferPointer) {
    self.bytes = bytes
  }

  /// Adds a record; returns false and does nothing if it is larger than a quarter of the ring.
  ///
  /// Complexity: O(*n*) in the size of the payload.
  mutating func append(_ payload: [UInt8], number: UInt64) -> Bool {
    let size = Self.size(ofRecordWith: payload.count)
    guard size <= bytes.count / 4 else { return false }
    if position + size > bytes.count {
      // The rest is zeroed, because it could contain the middle of an old record.
      bytes[position...].withMemoryRebound(to: UInt8.self) { $0.update(repeating: 0) }
      position = 0
    }
    Self.write(payload, number: number, to: bytes, at: position)
    position += size
    return true
  }

  static func write(
    _ payload: [UInt8], number: UInt64, to bytes: UnsafeMutableRawBufferPointer, at place: Int
  ) {
    bytes.storeBytes(of: mark.littleEndian, toByteOffset: place, as: UInt32.self)
    bytes.storeBytes(
      of: UInt32(payload.count).littleEndian, toByteOffset: place + 4, as: UInt32.self)
    bytes.storeBytes(of: number.littleEndian, toByteOffset: place + 8, as: UInt64.self)
    bytes.storeBytes(
      of: checksum(number, payload).littleEndian, toByteOffset: place + 16, as: UInt64.self)
    UnsafeMutableRawBufferPointer(rebasing: bytes[(place + headSize)...]).copyBytes(from: payload)
  }

  /// The bytes that a record takes.
  static func size(ofRecordWith payload: Int) -> Int {
    (headSize + payload + 7) & ~7
  }

  /// FNV-1a with 64 bits.
  static func checksum(_ number: UInt64, _ payload: some Sequence<UInt8>) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    for byte in payload { add(byte) }
    return sum
  }
}
