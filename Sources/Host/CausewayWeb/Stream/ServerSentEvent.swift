/// One event of an event stream (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Equatable {
  /// The event's name; `message` when nil.
  public var name: String?
  /// The id that the browser sends back as `Last-Event-ID` after a lost connection.
  public var id: String?
  /// The text, which may have several lines.
  public var data: String

  /// An event.
  ///
  /// Line breaks in the name or the id become spaces.
  public init(name: String? = nil, id: String? = nil, data: String) {
    self.name = name
    self.id = id
    self.data = data
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.utf8.count + 64)
    if let name { Self.field("event", name, into: &bytes) }
    if let id { Self.field("id", id, into: &bytes) }
    bytes.append(contentsOf: "data: ".utf8)
    var previous: UInt8 = 0
    for byte in data.utf8 {
      // A carriage return, a line feed, and both together end a line.
      if byte == 10 || byte == 13 {
        if !(byte == 10 && previous == 13) { bytes.append(contentsOf: "\ndata: ".utf8) }
      } else {
        bytes.append(byte)
      }
      previous = byte
    }
    bytes.append(contentsOf: "\n\n".utf8)
    return bytes
  }

  /// The bytes of an event whose text is a single line.
  static func bytes(name: StaticString, id: String, line: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.count + 64)
    bytes.append(contentsOf: "event: \(name)\nid: \(id)\ndata: ".utf8)
    bytes.append(contentsOf: line)
    bytes.append(contentsOf: "\n\n".utf8)
    return bytes
  }

  private static func field(_ name: String, _ value: String, into bytes: inout [UInt8]) {
    bytes.append(contentsOf: "\(name): ".utf8)
    bytes.append(contentsOf: value.utf8.map { $0 == 10 || $0 == 13 || $0 == 0 ? 32 : $0 })
    bytes.append(10)
  }
}
