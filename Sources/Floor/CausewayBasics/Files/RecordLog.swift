/// The file format of a ``FileBacking``: batches of records, one after the other.
///
/// A batch is a header and the records of one save. A record is a header, a key and a value.
///
/// | bytes of a header | content |
/// |---|---|
/// | 3 | `CWL` |
/// | 1 | 0 for a batch, 1 for a value, 2 for a removal |
/// | 4 | the number of records of the batch, or the length of the key |
/// | 8 | the length of the batch without its header, or the length of the value |
/// | 8 | XXH64 of the key and the value; 0 for a batch |
/// | 8 | XXH64 of the 24 bytes before |
///
/// Numbers are little-endian. Each checksum uses the position in the file as its seed. So a value
/// whose bytes look like a record is not read as a record.
///
/// The first batch is written to a temporary file that is then renamed, so this batch is always
/// complete. Later batches are appended. Each batch is synchronised before the next one is written,
/// so only the last batch can be incomplete.
package enum RecordLog {
  static let headerSize = 32

  enum Kind: UInt8 {
    case batch, value, removal
  }

  /// The positions of a key and its value in the file.
  ///
  /// The value is `nil` if the key was removed.
  package struct Record {
    package let key: Range<Int>
    package let value: Range<Int>?
  }

  /// The records of one save.
  package struct Batch: ~Copyable {
    private(set) var count = 0
    private var bytes: [UInt8]
    private let place: Int

    /// - Parameters:
    ///   - place: The position of the batch in the file.
    ///   - capacity: The expected number of bytes.
    package init(at place: Int, capacity: Int = 0) {
      self.place = place
      bytes = []
      bytes.reserveCapacity(capacity)
      bytes.append(contentsOf: repeatElement(0, count: headerSize))
    }

    /// Adds the value of a key, or the removal of a key.
    package mutating func append(key: some Collection<UInt8>, value: (some Collection<UInt8>)?) {
      let start = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: headerSize))
      bytes.append(contentsOf: key)
      if let value { bytes.append(contentsOf: value) }
      let sum = XXH64.checksum(
        of: bytes[(start + headerSize)...], seed: UInt64(place + start))
      setHeader(
        at: start, value == nil ? .removal : .value, key.count, value?.count ?? 0, sum)
      count += 1
    }

    package consuming func finish() -> [UInt8] {
      setHeader(at: 0, .batch, count, bytes.count - headerSize, 0)
      return bytes
    }

    private mutating func setHeader(
      at start: Int, _ kind: Kind, _ first: Int, _ second: Int, _ sum: UInt64
    ) {
      let place = place
      bytes.withUnsafeMutableBytes { bytes in
        let header = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + headerSize)])
        header.copyBytes(from: mark)
        header[3] = kind.rawValue
        header.storeBytes(of: UInt32(first).littleEndian, toByteOffset: 4, as: UInt32.self)
        header.storeBytes(of: UInt64(second).littleEndian, toByteOffset: 8, as: UInt64.self)
        header.storeBytes(of: sum.littleEndian, toByteOffset: 16, as: UInt64.self)
        let check = XXH64.checksum(
          of: UnsafeRawBufferPointer(rebasing: header[..<24]), seed: UInt64(place + start))
        header.storeBytes(of: check.littleEndian, toByteOffset: 24, as: UInt64.self)
      }
    }
  }

  fileprivate static let mark = Array("CWL".utf8)
}

/// The contents of a file in the format of ``RecordLog``.
package struct RecordLogContents {
  /// The undamaged records, in the order in which they were saved.
  package private(set) var records: [RecordLog.Record] = []
  /// The end of the last complete batch.
  ///
  /// The bytes after it are the remains of an interrupted save.
  package private(set) var end = 0
  /// The end of the first batch.
  package private(set) var firstEnd = 0
  /// How the file is damaged; `nil` if it is undamaged.
  package private(set) var flaw: StoredRecord.Flaw?

  /// Reads the bytes of a file.
  ///
  /// - Complexity: O(bytes).
  package init(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { self.read($0) }
  }

  private struct Header {
    let kind: RecordLog.Kind
    let first: Int
    let second: Int
    let sum: UInt64
    /// The position of the content.
    let start: Int

    /// The end of the content.
    var end: Int { kind == .batch ? start + second : start + first + second }
  }

  private mutating func read(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count < RecordLog.headerSize {
      flaw = RecordLog.mark.starts(with: bytes.prefix(3)) ? .truncated : .notARecord
    }
    var place = 0
    while place < bytes.count {
      let isAppended = place > 0
      guard let header = Self.header(bytes, place) else {
        let rest = place..<min(place + RecordLog.headerSize, bytes.count)
        if isAppended, rest.count < RecordLog.headerSize || Self.hasHole(bytes, rest) { return }
        let next = Self.nextHeader(bytes, after: place, before: bytes.count)
        note(isAppended || next < bytes.count ? .checksum : .notARecord)
        place = next
        continue
      }
      if header.kind == .batch {
        if header.end > bytes.count {
          if isAppended { return }
          note(.truncated)
        }
        let limit = min(header.end, bytes.count)
        let (found, isWhole) = Self.records(bytes, header.start..<limit)
        // An interrupted save leaves holes in its content. Any other damage leaves no holes.
        if !isWhole, isAppended, Self.hasHole(bytes, place..<limit),
          Self.isEmpty(bytes, limit..<bytes.count)
        {
          return
        }
        records += found
        if !isWhole { note(.checksum) }
        place = limit
        if !isAppended { firstEnd = limit }
      } else {
        // A record outside a batch means that the header of its batch is damaged.
        if header.end <= bytes.count, Self.isWhole(bytes, header) {
          records.append(Self.record(header))
        } else {
          note(.checksum)
        }
        place = min(header.end, bytes.count)
      }
      end = place
    }
    if firstEnd == 0 { firstEnd = end }
  }

  private mutating func note(_ flaw: StoredRecord.Flaw) {
    if self.flaw == nil { self.flaw = flaw }
  }

  /// The undamaged records of a batch, and whether the batch is completely undamaged.
  private static func records(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) -> ([RecordLog.Record], isWhole: Bool) {
    var records: [RecordLog.Record] = []
    var areAllWhole = true
    var place = range.lowerBound
    while place < range.upperBound {
      guard let header = header(bytes, place), header.kind != .batch,
        header.end <= range.upperBound
      else {
        areAllWhole = false
        place = nextHeader(bytes, after: place, before: range.upperBound)
        continue
      }
      if isWhole(bytes, header) { records.append(record(header)) } else { areAllWhole = false }
      place = header.end
    }
    return (records, areAllWhole)
  }

  private static func record(_ header: Header) -> RecordLog.Record {
    let keyEnd = header.start + header.first
    return RecordLog.Record(
      key: header.start..<keyEnd, value: header.kind == .value ? keyEnd..<header.end : nil)
  }

  private static func isWhole(_ bytes: UnsafeRawBufferPointer, _ header: Header) -> Bool {
    let content = UnsafeRawBufferPointer(rebasing: bytes[header.start..<header.end])
    let seed = UInt64(header.start - RecordLog.headerSize)
    return XXH64.checksum(of: content, seed: seed) == header.sum
  }

  private static func isMarked(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
    bytes[place...].starts(with: RecordLog.mark)
  }

  /// The position of the next valid header, or the limit.
  private static func nextHeader(
    _ bytes: UnsafeRawBufferPointer, after place: Int, before limit: Int
  ) -> Int {
    for next in (place + 1)..<max(limit, place + 1) where bytes[next] == RecordLog.mark[0] {
      if header(bytes, next) != nil { return next }
    }
    return limit
  }

  /// The valid header at a position; `nil` if there is none.
  private static func header(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Header? {
    guard place + RecordLog.headerSize <= bytes.count, isMarked(bytes, place),
      let kind = RecordLog.Kind(rawValue: bytes[place + 3])
    else { return nil }
    let header = UnsafeRawBufferPointer(rebasing: bytes[place..<(place + RecordLog.headerSize)])
    let sum = XXH64.checksum(
      of: UnsafeRawBufferPointer(rebasing: header[..<24]), seed: UInt64(place))
    let second = UInt64(littleEndian: header.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    guard sum == UInt64(littleEndian: header.loadUnaligned(fromByteOffset: 24, as: UInt64.self)),
      // With this limit, sums of positions cannot overflow.
      second < 1 << 48
    else { return nil }
    return Header(
      kind: kind,
      first: Int(
        UInt32(littleEndian: header.loadUnaligned(fromByteOffset: 4, as: UInt32.self))),
      second: Int(second),
      sum: UInt64(littleEndian: header.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
      start: place + RecordLog.headerSize)
  }

  /// Whether a range contains a disk sector that was not written.
  ///
  /// When the power fails, a file system may have extended the file without writing its content.
  /// Such sectors are read as zeros. A record never has so many zeros, because its content is JSON.
  private static func hasHole(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    let sector = 512
    var place = range.lowerBound
    while place < range.upperBound {
      let next = min((place / sector + 1) * sector, range.upperBound)
      if isEmpty(bytes, place..<next) { return true }
      place = next
    }
    return false
  }

  private static func isEmpty(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    bytes[range].allSatisfy { $0 == 0 }
  }
}
