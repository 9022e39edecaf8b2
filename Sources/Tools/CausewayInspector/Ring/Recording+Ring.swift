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
  /// the file was written is the last event.
  ///
  /// - Throws: ``RecordingError/noRing`` if the file is not a ring;
  ///   ``RecordingError/otherVersion(_:)``.
  package init(ring data: Data) throws(RecordingError) {
    guard data.count <= Self.largestFile else { throw .tooLarge(bytes: data.count) }
    let bytes = Array(data)
    guard bytes.starts(with: EventRing.magic) else { throw .noRing }
    func record(at place: Int) -> RingRecords.Record? {
      RingRecords.record(bytes[...], at: place)
    }
    var header = RecordingHeader(program: "unknown", began: 0)
    if let line = record(at: EventRing.headerPlace)?.payload {
      do {
        header = try Self.header(Data(line))
      } catch .otherVersion(let version) {
        throw .otherVersion(version)
      } catch {
        // The events are useful without the name of the program.
      }
    }
    self.init(header: header, events: [])
    guard bytes.count > EventRing.ringPlace else { return }
    for record in RingRecords.read(bytes[EventRing.ringPlace...]) { add(record) }
    guard let handling = record(at: EventRing.currentPlace) else { return }
    // Other threads added events during the handler.
    let last = events.map(\.n).max() ?? 0
    if add(handling) { events[events.count - 1].n = last == .max ? last : last + 1 }
  }

  /// Adds an event, or counts the record if a later version has written it.
  @discardableResult
  private mutating func add(_ record: RingRecords.Record) -> Bool {
    guard let event = try? Self.event(Data(record.payload), number: 0) else {
      unknownLines += 1
      return false
    }
    events.append(event)
    return true
  }
}
