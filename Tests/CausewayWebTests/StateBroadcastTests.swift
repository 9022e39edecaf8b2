import TestSupport
import Testing

@testable import CausewayWeb

/// The changes of a shared state, as clients receive them.
@Suite(.timeLimit(.minutes(10)))
struct StateBroadcastTests {
  private struct Day: Codable, Sendable, Equatable, Identifiable {
    var id: Int
    var name: String
    var cards: [Card]
  }

  private struct Card: Codable, Sendable, Equatable, Identifiable {
    var id: String
    var title: String?
    var people: [String]
  }

  private struct Content: Codable, Sendable, Equatable {
    var note: String?
    var days: [Day] = []

    mutating func edit(using random: inout SeededRandom) {
      let number = Int.random(in: 0..<6, using: &random)
      let day = Int.random(in: 0..<max(1, days.count), using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: note = number == 0 ? nil : "note \(number)"
      case 1 where !days.contains { $0.id == number }:
        days.insert(Day(id: number, name: "day", cards: []), at: min(day, days.count))
      case 2 where !days.isEmpty: days.remove(at: day)
      case 3: days.shuffle(using: &random)
      case 4 where !days.isEmpty: days[day].name = "day \(number)"
      case 5 where !days.isEmpty: days[day].cards.shuffle(using: &random)
      case _ where !days.isEmpty:
        if let index = days[day].cards.firstIndex(where: { $0.id == "\(number)" }) {
          days[day].cards[index].people.append("Ana")
          days[day].cards[index].title = Bool.random(using: &random) ? "title \(number)" : nil
        } else {
          days[day].cards.append(Card(id: "\(number)", title: "card", people: []))
        }
      default: break
      }
    }
  }

  /// A page that reads its events from time to time.
  private struct Page {
    var state: JSONValue
    var version: UInt64?

    mutating func read(_ broadcast: StateBroadcast) throws {
      guard let events = broadcast.events(after: version) else { return }
      version = events.version
      for block in String(decoding: events.bytes, as: UTF8.self).split(separator: "\n\n") {
        state = EventStream.Event(String(block)).applied(to: state)
      }
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `patches give the same state as a full encoding, whichever patches a page misses`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    var content = Content()
    let encoder = StateEncoder()
    let broadcast = StateBroadcast(name: "board", first: try encoder.encode(content))
    let whole = ["own": 1, "board": try JSONValue(encoding: content)] as JSONValue
    var pages = (0..<5).map { Page(state: whole, version: $0 == 0 ? nil : 1) }
    for step in 0..<scaled(300) {
      content.edit(using: &random)
      let encoded = try encoder.encode(content)
      let expected = try JSONValue(encoding: content)
      #expect(encoded == expected, "step \(step)")
      broadcast.publish(encoded)
      for index in pages.indices where Int.random(in: 0..<1 << (2 * index), using: &random) == 0 {
        try pages[index].read(broadcast)
        #expect(pages[index].state == ["own": 1, "board": expected], "step \(step), page \(index)")
      }
    }
    for index in pages.indices {
      try pages[index].read(broadcast)
      #expect(pages[index].state == ["own": 1, "board": try JSONValue(encoding: content)])
    }
  }

  @Test func `all pages receive the same bytes of a change, encoded once`() throws {
    let broadcast = StateBroadcast(name: "board", first: ["count": 1])
    broadcast.publish(["count": 2])
    let (one, two) = (
      try #require(broadcast.events(after: 1)), try #require(broadcast.events(after: 1))
    )
    let address = one.bytes.withUnsafeBufferPointer(\.baseAddress)
    #expect(address == two.bytes.withUnsafeBufferPointer(\.baseAddress))
    #expect(
      String(decoding: one.bytes, as: UTF8.self)
        == "event: patch\nid: shared.2\ndata: {\"board\":{\"count\":2}}\n\n")
  }

  @Test func `a large change and the whole state are stored once for all pages`() throws {
    let broadcast = StateBroadcast(name: "board", first: ["text": ""])
    broadcast.publish(["text": .string(String(repeating: "x", count: 100_000))])
    for (version, name) in [(1, "patch"), (nil, "shared")] as [(UInt64?, String)] {
      let (one, two) = (
        try #require(broadcast.events(after: version)),
        try #require(broadcast.events(after: version))
      )
      #expect(String(decoding: one.bytes.prefix(20), as: UTF8.self).hasPrefix("event: \(name)\n"))
      let address = one.bytes.withUnsafeBufferPointer(\.baseAddress)
      #expect(address == two.bytes.withUnsafeBufferPointer(\.baseAddress))
    }
    broadcast.publish(["text": "new"])
    let whole = try #require(broadcast.events(after: nil))
    #expect(String(decoding: whole.bytes, as: UTF8.self).contains("new"))
  }

  @Test func `a patch contains no line separator, which ends a line for some readers`() throws {
    let broadcast = StateBroadcast(name: "board", first: ["text": ""])
    broadcast.publish(["text": "a\u{2028}b\u{2029}"])
    let event = try #require(broadcast.events(after: 1))
    #expect(String(decoding: event.bytes, as: UTF8.self).contains(#""a\u2028b\u2029""#))
  }

  @Test func `an equal state is not a change`() {
    let broadcast = StateBroadcast(name: "board", first: ["count": 1])
    broadcast.publish(["count": 1])
    #expect(broadcast.events(after: 1) == nil)
  }

  @Test func `the stored changes are bounded, and older pages receive the whole state`() throws {
    let broadcast = StateBroadcast(name: "board", first: ["text": ""])
    for number in 0..<1_000 as Range<Int> {
      broadcast.publish(["text": .string("\(number) " + String(repeating: "x", count: 1_000))])
    }
    let events = try #require(broadcast.events(after: 1))
    #expect(events.bytes.count < 2_000)
    #expect(String(decoding: events.bytes, as: UTF8.self).hasPrefix("event: shared\n"))
    #expect(try #require(broadcast.events(after: 950)).bytes.count < 64 << 10)
  }

  @Test func `a shared state is escaped for HTML where it becomes a part of a page`() {
    let broadcast = StateBroadcast(name: "<b>", first: "</script>\u{2028}")
    let text = String(decoding: broadcast.completing(Array("{}".utf8)).text, as: UTF8.self)
    #expect(text == #"{"\u003cb\u003e":"\u003c/script\u003e\u2028"}"#)
    let more = String(decoding: broadcast.completing(Array(#"{"a":1}"#.utf8)).text, as: UTF8.self)
    #expect(more.hasPrefix(#"{"a":1,""#))
  }
}

/// Rows that have not changed are not encoded again.
@Suite(.timeLimit(.minutes(10)))
struct StateEncoderTests {
  private struct Row: Encodable, Equatable, Identifiable {
    let id: Int
    var text: String
    let encoded: Log<Int>

    static func == (left: Row, right: Row) -> Bool {
      left.id == right.id && left.text == right.text
    }

    func encode(to encoder: any Encoder) throws {
      encoded.append(id)
      var container = encoder.singleValueContainer()
      try container.encode(["id": "\(id)", "text": text])
    }
  }

  private struct Group: Encodable, Equatable, Identifiable {
    let id: String
    var rows: [Row]
  }

  @Test func `only a changed row is encoded, also inside of another row`() throws {
    let log = Log<Int>()
    var groups = ["a", "b"].enumerated().map { offset, id in
      Group(id: id, rows: (0..<10).map { Row(id: 10 * offset + $0, text: "text", encoded: log) })
    }
    let encoder = StateEncoder()
    _ = try encoder.encode(groups)
    #expect(log.all.count == 20)
    _ = try encoder.encode(groups)
    #expect(log.all.count == 20)
    groups[1].rows[3].text = "changed"
    let encoded = try encoder.encode(groups)
    #expect(log.all.dropFirst(20) == [13])
    #expect(encoded == (try JSONValue(encoding: groups)))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `only new and changed rows are encoded, wherever the others move`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let log = Log<Int>()
    var rows = (0..<6).map { Row(id: $0, text: "text", encoded: log) }
    let encoder = StateEncoder()
    _ = try encoder.encode(rows)
    for step in 0..<100 {
      var expected: [Int] = []
      let index = Int.random(in: 0..<rows.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where rows.count > 1: rows.remove(at: index)
      case 1:
        rows.insert(Row(id: 10 + step, text: "new", encoded: log), at: index)
        expected = [10 + step]
      case 2:
        rows[index].text = "changed \(step)"
        expected = [rows[index].id]
      default: rows.shuffle(using: &random)
      }
      let known = log.all.count
      let encoded = try encoder.encode(rows)
      #expect(log.all.dropFirst(known) == expected[...], "step \(step)")
      #expect(try encoded == JSONValue(encoding: rows), "step \(step)")
    }
  }

  private struct Page: Encodable, Equatable {
    struct Part: Encodable, Equatable {
      var row: Row
      var text = ""
    }

    var first: Part
    var second: Part
    var cards: [String: Row]
    var note: String?
  }

  @Test func `only a changed member is encoded, at every depth`() throws {
    let log = Log<Int>()
    let row = { Row(id: $0, text: "text", encoded: log) }
    var page = Page(
      first: .init(row: row(1)), second: .init(row: row(2)), cards: ["x": row(3), "y": row(4)])
    let encoder = StateEncoder()
    func encode(_ expected: [Int], line: Int = #line) throws {
      let known = log.all.count
      let encoded = try encoder.encode(page)
      #expect(log.all.dropFirst(known).sorted() == expected, "line \(line)")
      #expect(try encoded == JSONValue(encoding: page), "line \(line)")
    }
    try encode([1, 2, 3, 4])
    try encode([])
    page.second.text = "changed"
    page.cards["x"]?.text = "changed"
    try encode([2, 3])
    // The parts of a member are remembered from its first change on.
    page.second.text = "changed again"
    try encode([])
    page.second.row.text = "changed"
    page.note = "new"
    try encode([2])
    page.cards["y"] = nil
    page.note = nil
    try encode([])
    page.cards["y"] = row(4)
    try encode([4])
  }

  @Test func `rows with the same id in several lists keep their own texts`() throws {
    let log = Log<Int>()
    let lists = ["x", "y"].map { [Row(id: 1, text: $0, encoded: log)] }
    let encoder = StateEncoder()
    for _ in 0..<3 { #expect(try encoder.encode(lists) == JSONValue(encoding: lists)) }
  }
}
