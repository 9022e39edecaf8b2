package import Foundation

extension Recording {
  /// The largest file that is read, in bytes.
  package static let largestFile = 256 << 20
  /// The longest line, in bytes.
  private static let longestLine = 1 << 20

  /// Reads a recording, which may come from an untrusted source.
  ///
  /// An incomplete last line is left out, because a killed program leaves one.
  ///
  /// - Throws: ``RecordingError`` for the first problem.
  package init(jsonLines data: Data) throws(RecordingError) {
    guard data.count <= Self.largestFile else { throw .tooLarge(bytes: data.count) }
    // The lines are found one by one, because the first bad line ends the work.
    var rest = data
    func takeLine() -> (line: Data, isWhole: Bool) {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      defer { rest = rest[end...].dropFirst() }
      return (rest[..<end], end < rest.endIndex)
    }
    let first = takeLine().line
    if first.isEmpty { throw .empty }
    let header = try Self.header(first)
    var events: [RecordedEvent] = []
    var isTorn = false
    var unknownLines = 0
    var number = 1
    while !rest.isEmpty {
      number += 1
      let (line, isWhole) = takeLine()
      do {
        if let event = try Self.event(line, number: number) {
          events.append(event)
        } else {
          unknownLines += 1
        }
      } catch {
        if isWhole { throw error }
        isTorn = true
      }
    }
    self.init(header: header, events: events)
    self.isTorn = isTorn
    self.unknownLines = unknownLines
  }

  static func header(_ line: Data) throws(RecordingError) -> RecordingHeader {
    struct Version: Decodable {
      let version: Int

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        version = try container.decode(Int.self, forKey: Key("causeway-recording"))
      }
    }
    guard line.count <= longestLine, let found = try? JSONDecoder().decode(Version.self, from: line)
    else { throw .noHeader }
    guard found.version == RecordingHeader.version else {
      throw .otherVersion(found.version)
    }
    do {
      return try JSONDecoder().decode(RecordingHeader.self, from: line)
    } catch {
      throw .badLine(number: 1, reason: Self.reason(error))
    }
  }

  /// Reads an event; `nil` if a later version has written it, with a new kind or lane.
  static func event(_ line: Data, number: Int) throws(RecordingError) -> RecordedEvent? {
    guard line.count <= longestLine else {
      throw .badLine(number: number, reason: "it is longer than \(longestLine) bytes")
    }
    do {
      return try JSONDecoder().decode(RecordedEvent.self, from: line)
    } catch DecodingError.dataCorrupted(let context)
      where ["kind", "lane"].contains(context.codingPath.last?.stringValue)
    {
      return nil
    } catch {
      throw .badLine(number: number, reason: reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    func name(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
    return switch error as? DecodingError {
    case .keyNotFound(let key, _): "it has no member \"\(key.stringValue)\""
    case .valueNotFound(_, let context): "its member \"\(name(context.codingPath))\" has no value"
    case .typeMismatch(_, let context):
      "its member \"\(name(context.codingPath))\" has another type"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      "its member \"\(name(context.codingPath))\" has an unknown value"
    default: "it is no JSON object"
    }
  }
}

/// A member name.
private struct Key: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
