/// The file format of a resource, with its key, its date and a checksum.
///
/// | bytes | what |
/// |---|---|
/// | 4 | `CWY1` |
/// | 8 | XXH64 of all that follows |
/// | 8 | when the loader gave the value, in milliseconds since 1970 |
/// | 8 | length of the key |
/// | 8 | length of the validator, plus one; 0 if there is none |
/// | 8 | length of the value |
/// | … | the key, the validator, the value |
///
/// Numbers are little-endian.
enum StoredRecord {
  /// Why the bytes of a file are not a valid record.
  enum Flaw: Error, Equatable {
    case notARecord, truncated, tooLong, checksum
    /// A valid record of another key that has the same file name.
    case otherKey
  }

  private static let mark = Array("CWY1".utf8)
  private static let headerSize = 44

  static func encode(_ resource: StoredResource, key: String) -> [UInt8] {
    let validator = resource.validator.map { Array($0.utf8) }
    var bytes = mark
    bytes.reserveCapacity(headerSize + key.utf8.count + resource.bytes.count)
    bytes += [UInt8](repeating: 0, count: 8)
    append(UInt64(bitPattern: resource.loadedAt), to: &bytes)
    append(UInt64(key.utf8.count), to: &bytes)
    append(UInt64(validator.map { $0.count + 1 } ?? 0), to: &bytes)
    append(UInt64(resource.bytes.count), to: &bytes)
    bytes += key.utf8
    if let validator { bytes += validator }
    bytes += resource.bytes
    var sum: [UInt8] = []
    append(XXH64.checksum(of: bytes[12...]), to: &sum)
    bytes.replaceSubrange(4..<12, with: sum)
    return bytes
  }

  static func decode(_ bytes: [UInt8], key: String) throws(Flaw) -> StoredResource {
    guard bytes.starts(with: mark) else {
      throw mark.starts(with: bytes) ? .truncated : .notARecord
    }
    guard bytes.count >= headerSize else { throw .truncated }
    let sizes = [20, 28, 36].map { number(bytes, at: $0) }
    // These lengths are not yet verified by the checksum, so they may have any value.
    var expected = UInt64(headerSize)
    for size in [sizes[0], sizes[1] == 0 ? 0 : sizes[1] - 1, sizes[2]] {
      let (sum, isTooMuch) = expected.addingReportingOverflow(size)
      if isTooMuch { throw .checksum }
      expected = sum
    }
    if expected > UInt64(bytes.count) { throw .truncated }
    if expected < UInt64(bytes.count) { throw .tooLong }
    guard number(bytes, at: 4) == XXH64.checksum(of: bytes[12...]) else { throw .checksum }

    var rest = bytes[headerSize...]
    let foundKey = rest.prefix(Int(sizes[0]))
    rest = rest.dropFirst(Int(sizes[0]))
    guard foundKey.elementsEqual(key.utf8) else { throw .otherKey }
    var validator: String?
    if sizes[1] > 0 {
      validator = String(decoding: rest.prefix(Int(sizes[1]) - 1), as: UTF8.self)
      rest = rest.dropFirst(Int(sizes[1]) - 1)
    }
    return StoredResource(
      bytes: Array(rest), validator: validator,
      loadedAt: Int64(bitPattern: number(bytes, at: 12)))
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> UInt64 {
    bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }
}

/// A value of a disk store, with its metadata.
package struct StoredResource: Sendable, Equatable {
  package var bytes: [UInt8]
  package var validator: String?
  /// When the loader returned the value, in milliseconds since 1970.
  package var loadedAt: Int64

  package init(bytes: [UInt8], validator: String?, loadedAt: Int64) {
    self.bytes = bytes
    self.validator = validator
    self.loadedAt = loadedAt
  }
}
