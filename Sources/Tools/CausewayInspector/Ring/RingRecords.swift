/// Reads the records of a ring from untrusted bytes.
enum RingRecords {
  struct Record: Equatable {
    let number: UInt64
    let payload: [UInt8]
  }

  /// Returns the whole records, in the order of their numbers.
  ///
  /// Complexity: O(*n*) in the number of bytes.
  static func read(_ bytes: ArraySlice<UInt8>) -> [Record] {
    var records: [UInt64: Record] = [:]
    var place = bytes.startIndex
    while place + RingBuffer.headSize <= bytes.endIndex {
      if let record = record(bytes, at: place) {
        records[record.number] = record
        place += RingBuffer.size(ofRecordWith: record.payload.count)
      } else {
        place += 8
      }
    }
    return records.values.sorted { $0.number < $1.number }
  }

  /// The record at a place; `nil` if there is no whole record.
  static func record(_ bytes: ArraySlice<UInt8>, at place: Int) -> Record? {
    let first = place + RingBuffer.headSize
    guard place >= bytes.startIndex, first <= bytes.endIndex,
      integer(bytes, place, 4) == UInt64(RingBuffer.mark)
    else { return nil }
    let size = integer(bytes, place + 4, 4)
    guard size <= UInt64(bytes.endIndex - first) else { return nil }
    let payload = bytes[first..<first + Int(size)]
    let number = integer(bytes, place + 8, 8)
    guard integer(bytes, place + 16, 8) == RingBuffer.checksum(number, payload) else { return nil }
    return Record(number: number, payload: Array(payload))
  }

  private static func integer(_ bytes: ArraySlice<UInt8>, _ place: Int, _ size: Int) -> UInt64 {
    bytes[place..<place + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
