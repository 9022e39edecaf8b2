package import Foundation

/// The events of a program, as a file of JSON lines.
package struct Recording: Sendable, Equatable {
  package var header: RecordingHeader
  package var events: [RecordedEvent]
  /// Whether the last line is incomplete: the program was killed while it wrote the line.
  package var isTorn = false
  /// The number of lines of kinds that this version does not know; they are left out.
  package var unknownLines = 0

  package init(header: RecordingHeader, events: [RecordedEvent]) {
    self.header = header
    self.events = events
  }

  /// The recording as JSON lines: the header, and one line for each event.
  ///
  /// - Throws: The error of the encoder; the text and the numbers of the header cause none.
  package func jsonLines() throws -> Data {
    var data = try Self.line(header)
    for event in events { data += EventLine(event).bytes }
    return data
  }

  /// A value as one line.
  static func line(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + [UInt8(ascii: "\n")]
  }
}
