package import Foundation

extension Recording {
  /// Reads a recording or a ring.
  package init(file data: Data) throws(RecordingError) {
    if data.starts(with: EventRing.magic) {
      try self.init(ring: data)
    } else {
      try self.init(jsonLines: data)
    }
  }

  /// Reads the ring of a program that may have been killed.
  ///
  /// Records that were torn or replaced are left out. The action that the program was handling when
  /// it ended is the last event.
  ///
  /// - Throws: ``RecordingError/noRing`` if the file is no ring.
  package init(ring data: Data) throws(RecordingError) {
    guard data.count <= Self.largestFile else { throw .tooLarge(bytes: data.count) }
    let bytes = Array(data)
    guard bytes.starts(with: EventRing.magic) else { throw .noRing }
    func record(at place: Int) -> RingRecords.Record? {
      RingRecords.record(bytes[...], at: place)
    }
    let header = record(at: EventRing.headerPlace).flatMap {
      try? JSONDecoder().decode(RecordingHeader.self, from: Data($0.payload))
    }
    self.init(header: header ?? RecordingHeader(program: "unknown", began: 0), events: [])
    guard bytes.count > EventRing.ringPlace else { return }
    let records =
      RingRecords.read(bytes[EventRing.ringPlace...])
      + [record(at: EventRing.currentPlace)]
      .compactMap { $0 }
    events = records.compactMap {
      try? JSONDecoder().decode(RecordedEvent.self, from: Data($0.payload))
    }
  }
}
