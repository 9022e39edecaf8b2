import CausewayData
@_spi(Fuzzing) import CausewayHTTP
import TestSupport
import Testing

@Suite struct EventStreamParserTests {
  private func parse(_ text: String) -> [NetworkEvent] {
    var parser = EventStreamParser()
    return parser.parse(Array(text.utf8))
  }

  @Test(arguments: [
    ("data: a\n\n", [NetworkEvent(data: "a")]),
    ("data:a\n\n", [NetworkEvent(data: "a")]),
    ("data:  a\n\n", [NetworkEvent(data: " a")]),
    ("data: a\ndata: b\n\n", [NetworkEvent(data: "a\nb")]),
    ("data\n\n", [NetworkEvent(data: "")]),
    ("data\ndata\n\n", [NetworkEvent(data: "\n")]),
    ("data:\n\n", [NetworkEvent(data: "")]),
    ("data: a:b\n\n", [NetworkEvent(data: "a:b")]),
    ("event: move\ndata: a\n\n", [NetworkEvent(name: "move", data: "a")]),
    ("event: move\n\ndata: a\n\n", [NetworkEvent(data: "a")]),
    ("id: 7\ndata: a\n\ndata: b\n\n", [.init(id: "7", data: "a"), .init(id: "7", data: "b")]),
    ("id: 7\ndata: a\n\nid\ndata: b\n\n", [.init(id: "7", data: "a"), .init(data: "b")]),
    ("id: 7\n\ndata: a\n\n", [.init(id: "7", data: "a")]),
    (": comment\ndata: a\n\n", [NetworkEvent(data: "a")]),
    (":\n\n", []),
    ("Data: a\nfoo: b\n data: c\n\n", []),
    ("data: a", []),
    ("data: a\n", []),
    ("\n\n\n", []),
    ("data: grüß\u{1F6A2}\n\n", [NetworkEvent(data: "grüß\u{1F6A2}")]),
    ("\u{FEFF}data: a\n\n", [NetworkEvent(data: "a")]),
    ("\u{FEFF}\u{FEFF}data: a\n\n", []),
    ("data: a\n\n\u{FEFF}data: b\n\n", [NetworkEvent(data: "a")]),
    (
      "data: a\r\rdata: b\r\n\r\ndata: c\n\n",
      [.init(data: "a"), .init(data: "b"), .init(data: "c")]
    ),
    ("data: a\r\ndata: b\n\r\n", [NetworkEvent(data: "a\nb")]),
  ])
  func `the stream is parsed as the standard specifies`(_ text: String, _ events: [NetworkEvent]) {
    #expect(parse(text) == events)
  }

  @Test func `an id that contains a null character is ignored`() {
    #expect(
      parse("id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n") == [
        .init(id: "1", data: "a"), .init(id: "1", data: "b"),
      ])
  }

  @Test func `bytes that are not UTF-8 become replacement characters`() {
    var parser = EventStreamParser()
    let events = parser.parse(Array("data: ".utf8) + [0xFF, 0xC3] + Array("\n\n".utf8))
    #expect(events == [NetworkEvent(data: "\u{FFFD}\u{FFFD}")])
  }

  @Test(arguments: [
    ("250", Duration.milliseconds(250)), ("0", .zero), ("", nil), ("-1", nil), ("1.5", nil),
    ("1s", nil), ("٣", nil), ("99999999999999999999999", nil),
  ])
  func `a reconnection time consists of digits only`(_ text: String, _ time: Duration?) {
    var parser = EventStreamParser()
    #expect(parser.parse("retry: \(text)\n".utf8).isEmpty)
    #expect(parser.reconnectionTime == time)
  }

  @Test func `a carriage return ends a line at once, without waiting for the next byte`() {
    var parser = EventStreamParser()
    #expect(parser.parse("data: a\r\r".utf8) == [NetworkEvent(data: "a")])
    #expect(parser.parse("\n".utf8).isEmpty)
    #expect(parser.parse("data: b\n\n".utf8) == [NetworkEvent(data: "b")])
  }

  @Test func `an incomplete event does not change the last event id`() {
    var parser = EventStreamParser(lastEventID: "6")
    _ = parser.parse("id: 7\ndata: a\n".utf8)
    #expect(parser.lastEventID == "6")
    _ = parser.parse("\n".utf8)
    #expect(parser.lastEventID == "7")
  }

  @Test func `an endless line throws a typed error and uses no more memory than the limit`() {
    var parser = EventStreamParser(eventLimit: 100)
    #expect(parser.parse("data: ok\n\n".utf8) == [NetworkEvent(data: "ok")])
    for _ in 0..<100 { _ = parser.parse("data: xxxxxxxxxx".utf8) }
    #expect(parser.failure == .lineTooLong(limit: 100))
    #expect(parser.parse("\n\ndata: later\n\n".utf8).isEmpty)
  }

  @Test func `an event of endless lines throws a typed error`() {
    var parser = EventStreamParser(eventLimit: 100)
    for _ in 0..<100 { _ = parser.parse("data: xxxxxxxxxx\n".utf8) }
    #expect(parser.failure == .eventTooLarge(limit: 100))
  }

  @Test(arguments: 0..<200)
  func `events do not depend on how the bytes are split`(_ seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let parts: [[UInt8]] =
      ["data", "id", "event", "retry", ":", " ", "\n", "\r", "\r\n", "\n\n", "\0", "7", "ü", "a"]
      .map { Array($0.utf8) } + [[0xEF, 0xBB, 0xBF], [0xFF]]
    var bytes: [UInt8] = []
    for _ in 0..<200 { bytes += parts.randomElement(using: &random) ?? [] }
    var whole = EventStreamParser(eventLimit: 40)
    let expected = whole.parse(bytes)
    var divided = EventStreamParser(eventLimit: 40)
    var events: [NetworkEvent] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...4, using: &random)
      events += divided.parse(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(events == expected)
    #expect(divided.failure == whole.failure)
    #expect(divided.lastEventID == whole.lastEventID)
    #expect(divided.reconnectionTime == whole.reconnectionTime)
  }
}
