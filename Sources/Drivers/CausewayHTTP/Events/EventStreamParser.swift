public import CausewayNetwork

/// Parses server-sent events from a stream of bytes (WHATWG HTML, 9.2.6).
///
/// ```swift
/// var parser = EventStreamParser()
/// for event in parser.parse(bytes) { … }
/// if let failure = parser.failure { throw failure }
/// ```
///
/// The package `Fuzzing` imports it.
@_spi(Fuzzing) public struct EventStreamParser: Sendable {
  /// The reason why a stream cannot be parsed further.
  public enum Failure: Error, Hashable, Sendable {
    /// A line has more bytes than the limit.
    case lineTooLong(limit: Int)
    /// The content of an event has more bytes than the limit.
    case eventTooLarge(limit: Int)
  }

  /// The id of the last complete event, including events without content.
  public private(set) var lastEventID: String
  /// The delay before reconnecting, if the server has set it.
  public private(set) var reconnectionTime: Duration?
  /// The reason why parsing has stopped; `nil` if it has not failed.
  public private(set) var failure: Failure?

  private let eventLimit: Int
  private var line: [UInt8] = []
  private var isFirstLine = true
  /// Whether the last byte was a carriage return.
  ///
  /// If so, a line feed as the next byte belongs to the same line ending.
  private var followsCarriageReturn = false
  // The fields of the event that is being parsed.
  private var name: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var id: String

  /// Makes a parser for one connection.
  ///
  /// - Parameters:
  ///   - lastEventID: The id of the last event of the previous connection.
  ///   - eventLimit: The largest line and the largest content of one event, in bytes.
  public init(lastEventID: String = "", eventLimit: Int = 1 << 20) {
    self.lastEventID = lastEventID
    id = lastEventID
    self.eventLimit = eventLimit
  }

  /// Parses the next bytes.
  ///
  /// An incomplete event at the end of the stream is ignored.
  ///
  /// - Parameter bytes: The next part of the stream.
  /// - Returns: The events that are complete. If parsing fails, the events before the failure are
  ///   included.
  /// - Complexity: O(*n*) in the number of bytes.
  public mutating func parse(_ bytes: some Sequence<UInt8>) -> [NetworkEvent] {
    var events: [NetworkEvent] = []
    for byte in bytes {
      if failure != nil { break }
      switch byte {
      case Self.lineFeed where followsCarriageReturn:
        followsCarriageReturn = false
      case Self.lineFeed:
        endLine(&events)
      case Self.carriageReturn:
        // The line ends here. The parser does not wait for the next byte, which may take a long
        // time to arrive.
        endLine(&events)
        followsCarriageReturn = true
      default:
        followsCarriageReturn = false
        if line.count == eventLimit {
          failure = .lineTooLong(limit: eventLimit)
        } else {
          line.append(byte)
        }
      }
    }
    return events
  }

  private mutating func endLine(_ events: inout [NetworkEvent]) {
    defer { line.removeAll(keepingCapacity: true) }
    var text = line[...]
    if isFirstLine {
      isFirstLine = false
      if text.starts(with: Self.byteOrderMark) { text = text.dropFirst(3) }
    }
    guard !text.isEmpty else { return endEvent(&events) }
    let colon = text.firstIndex(of: UInt8(ascii: ":"))
    if colon == text.startIndex { return }
    var value = colon.map { text[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    let field = text[..<(colon ?? text.endIndex)]
    if field.elementsEqual("data".utf8) {
      if hasData { data.append(Self.lineFeed) }
      guard data.count + value.count <= eventLimit else {
        failure = .eventTooLarge(limit: eventLimit)
        return
      }
      data.append(contentsOf: value)
      hasData = true
    } else if field.elementsEqual("event".utf8) {
      name = Array(value)
    } else if field.elementsEqual("id".utf8) {
      if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    } else if field.elementsEqual("retry".utf8) {
      if !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }),
        let milliseconds = Int64(String(decoding: value, as: UTF8.self))
      {
        reconnectionTime = .milliseconds(milliseconds)
      }
    }
  }

  private mutating func endEvent(_ events: inout [NetworkEvent]) {
    // Events without content count too, because servers use them to report progress.
    lastEventID = id
    if hasData {
      events.append(
        NetworkEvent(
          id: id, name: name.isEmpty ? "message" : String(decoding: name, as: UTF8.self),
          data: String(decoding: data, as: UTF8.self)))
    }
    name = []
    data = []
    hasData = false
  }

  private static let lineFeed: UInt8 = 10
  private static let carriageReturn: UInt8 = 13
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension EventStreamParser.Failure: CustomStringConvertible {
  /// The limit that the stream has exceeded.
  public var description: String {
    switch self {
    case .lineTooLong(let limit): "a line of the event stream has more than \(limit) bytes"
    case .eventTooLarge(let limit): "an event of the stream has more than \(limit) bytes"
    }
  }
}
