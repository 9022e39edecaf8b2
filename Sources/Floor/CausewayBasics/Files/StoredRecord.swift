/// The file format of a resource, with its key, its date and a checksum.
///
/// | bytes | content |
/// |---|---|
/// | 4 | `CWY2`, or `CWY3` if the server has said how long the value is fresh |
/// | 8 | XXH64 of the next fields and the key, with the XXH64 of the rest as its seed |
/// | 8 | when the loader returned the value, in milliseconds since 1970 |
/// | 8 | length of the key |
/// | 8 | length of the validator, plus one; 0 if there is none |
/// | 8 | length of the value |
/// | … | the key, the value, the validator; after `CWY3`, 8 bytes for the time in milliseconds |
///
/// Numbers are little-endian. A reader does not know the length of the validator in advance, so the
/// validator comes last. The reader can then read the value directly to its final place in memory.
package enum StoredRecord {
  /// The reason why the bytes of a file are not a valid record.
  package enum Flaw: Error, Equatable {
    case notARecord, truncated, tooLong, checksum
    /// A valid record of another key that has the same file name.
    case otherKey
  }

  private static let mark = Array("CWY2".utf8)
  private static let timedMark = Array("CWY3".utf8)
  package static let headerSize = 44
  /// The longest stored time, about 30,000 years in milliseconds.
  private static let longestFreshness = 1e15

  package static func encode(_ resource: StoredResource, key: String) -> [UInt8] {
    let validator = resource.validator.map { Array($0.utf8) }
    var bytes = resource.freshFor == nil ? mark : timedMark
    bytes.reserveCapacity(
      headerSize + key.utf8.count + resource.bytes.count + (validator?.count ?? 0) + 8)
    bytes += [UInt8](repeating: 0, count: 8)
    append(UInt64(bitPattern: resource.loadedAt), to: &bytes)
    append(UInt64(key.utf8.count), to: &bytes)
    append(UInt64(validator.map { $0.count + 1 } ?? 0), to: &bytes)
    append(UInt64(resource.bytes.count), to: &bytes)
    bytes += key.utf8
    let restStart = bytes.count
    bytes += resource.bytes
    if let validator { bytes += validator }
    if let time = resource.freshFor {
      let milliseconds = (time / .milliseconds(1)).rounded()
      append(UInt64(exactly: min(max(0, milliseconds), Self.longestFreshness)) ?? 0, to: &bytes)
    }
    bytes.withUnsafeMutableBytes { bytes in
      let sum = checksum(
        UnsafeRawBufferPointer(rebasing: bytes[..<restStart]),
        UnsafeRawBufferPointer(rebasing: bytes[restStart...]))
      bytes.storeBytes(of: sum.littleEndian, toByteOffset: 4, as: UInt64.self)
    }
    return bytes
  }

  package static func decode(_ bytes: [UInt8], key: String) throws(Flaw) -> StoredResource {
    guard let timeSize = timeSize(bytes) else {
      throw mark.starts(with: bytes) || timedMark.starts(with: bytes) ? .truncated : .notARecord
    }
    guard bytes.count >= headerSize else { throw .truncated }
    let sizes = [20, 28, 36].map { number(bytes, at: $0) }
    // The checksum of these lengths is not verified yet, so the lengths may have any value.
    var expected = UInt64(headerSize + timeSize)
    for size in [sizes[0], sizes[1] == 0 ? 0 : sizes[1] - 1, sizes[2]] {
      let (sum, isTooMuch) = expected.addingReportingOverflow(size)
      if isTooMuch { throw .checksum }
      expected = sum
    }
    if expected > UInt64(bytes.count) { throw .truncated }
    if expected < UInt64(bytes.count) { throw .tooLong }
    let restStart = headerSize + Int(sizes[0])
    let head = Array(bytes[..<restStart])
    let rest = Array(bytes[restStart...])
    guard let resource = decode(head: head, rest: rest, key: key) else {
      let isOther = !head[headerSize...].elementsEqual(key.utf8)
      throw isOther && isWhole(head, rest) ? .otherKey : .checksum
    }
    return resource
  }

  /// Decodes a record from two parts; `nil` if they are not a valid record of the key.
  ///
  /// - Parameters:
  ///   - head: The header and the key.
  ///   - rest: The value, the validator and the time.
  package static func decode(head: [UInt8], rest: consuming [UInt8], key: String) -> StoredResource?
  {
    guard head.count == headerSize + key.utf8.count, let timeSize = timeSize(head),
      number(head, at: 20) == key.utf8.count, head[headerSize...].elementsEqual(key.utf8)
    else { return nil }
    let (validatorSize, valueSize) = (number(head, at: 28), number(head, at: 36))
    let restSize = valueSize.addingReportingOverflow(validatorSize == 0 ? 0 : validatorSize - 1)
    guard !restSize.overflow, rest.count >= timeSize,
      restSize.partialValue == rest.count - timeSize, isWhole(head, rest)
    else { return nil }
    var freshFor: Duration?
    if timeSize > 0 {
      let milliseconds = number(rest, at: rest.count - timeSize)
      freshFor = Int64(exactly: milliseconds).map { .milliseconds($0) }
      rest.removeLast(timeSize)
    }
    var validator: String?
    if validatorSize > 0 {
      validator = String(decoding: rest[Int(valueSize)...], as: UTF8.self)
      rest.removeLast(Int(validatorSize) - 1)
    }
    return StoredResource(
      bytes: rest, validator: validator, freshFor: freshFor,
      loadedAt: Int64(bitPattern: number(head, at: 12)))
  }

  /// The size of the time at the end; `nil` if the bytes are not the beginning of a record.
  private static func timeSize(_ bytes: [UInt8]) -> Int? {
    bytes.starts(with: mark) ? 0 : bytes.starts(with: timedMark) ? 8 : nil
  }

  private static func isWhole(_ head: [UInt8], _ rest: [UInt8]) -> Bool {
    head.withUnsafeBytes { head in
      rest.withUnsafeBytes { rest in
        UInt64(littleEndian: head.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
          == checksum(head, rest)
      }
    }
  }

  private static func checksum(
    _ head: UnsafeRawBufferPointer, _ rest: UnsafeRawBufferPointer
  ) -> UInt64 {
    XXH64.checksum(
      of: UnsafeRawBufferPointer(rebasing: head[12...]), seed: XXH64.checksum(of: rest))
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
  /// How long the value is fresh, as the server has said.
  package var freshFor: Duration?
  /// When the loader returned the value, in milliseconds since 1970.
  package var loadedAt: Int64

  package init(
    bytes: [UInt8], validator: String?, freshFor: Duration? = nil, loadedAt: Int64
  ) {
    self.bytes = bytes
    self.freshFor = freshFor
    self.validator = validator
    self.loadedAt = loadedAt
  }
}
