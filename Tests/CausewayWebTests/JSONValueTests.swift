import Foundation
import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct JSONValueTests {
  private struct Sample: Codable, Equatable {
    struct Inner: Codable, Equatable {
      var numbers: [Int]
      var optionals: [String?]
    }
    enum Kind: Codable, Equatable {
      case plain
      case labelled(title: String, count: Int?)
      case unlabelled(String)
    }
    var text = "a \"quoted\"\n\u{2028} <b>"
    var missing: String?
    var flag = true
    var big: Int64 = .max
    var unsigned: UInt64 = 7
    var ratio = 0.25
    var kinds: [Kind] = [.plain, .labelled(title: "x", count: nil), .unlabelled("y")]
    var byName: [String: Inner] = ["n": Inner(numbers: [1, 2], optionals: ["a", nil])]
    var when = Date(timeIntervalSince1970: 1_700_000_000.125)
    var data = Data([0, 255, 16])
    var link = URL(string: "https://example.org/a?b=c")
    var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
  }

  @Test func `an encoded value decodes to the same value`() throws {
    let sample = Sample()
    let text = Data(try JSONValue(encoding: sample).serialized())
    #expect(try WireFormat.decoder().decode(Sample.self, from: text) == sample)
  }

  @Test func `nil members are omitted and null elements are kept`() throws {
    let value = try JSONValue(encoding: Sample())
    #expect(value.value(at: "missing") == nil)
    #expect(value.value(at: "byName.n.optionals") == ["a", .null])
    #expect(value.value(at: "kinds.1") == ["labelled": ["title": "x"]])
  }

  @Test func `an explicitly encoded nil is omitted too`() throws {
    struct Explicit: Encodable {
      enum Keys: String, CodingKey { case gone, kept }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encodeNil(forKey: .gone)
        try container.encode(1, forKey: .kept)
      }
    }
    #expect(try JSONValue(encoding: Explicit()) == ["kept": 1])
  }

  @Test func `nested and super containers are written to their places`() throws {
    struct Nested: Encodable {
      enum Keys: String, CodingKey { case outer, list, parent }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var inner = container.nestedContainer(keyedBy: Keys.self, forKey: .outer)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        var row = list.nestedContainer(keyedBy: Keys.self)
        try row.encode("r", forKey: .outer)
        var rest = list.nestedUnkeyedContainer()
        try rest.encode(2)
        try inner.encode(true, forKey: .list)
        try "p".encode(to: container.superEncoder(forKey: .parent))
      }
    }
    let expected: JSONValue = [
      "outer": ["list": true], "list": [["outer": "r"], [2]], "parent": "p",
    ]
    #expect(try JSONValue(encoding: Nested()) == expected)
  }

  @Test func `encoders of nested containers are released after encoding`() throws {
    final class Seen {
      weak var encoder: ValueEncoder?
      weak var nested: ValueEncoder?
    }
    struct Nested: Encodable {
      enum Key: CodingKey { case inner }
      let seen: Seen
      let fails: Bool
      func encode(to encoder: any Encoder) throws {
        seen.encoder = encoder as? ValueEncoder
        #expect(seen.encoder != nil)
        var container = encoder.container(keyedBy: Key.self)
        var inner = container.nestedUnkeyedContainer(forKey: .inner)
        if let inner = inner as? ValueEncoder.ElementContainer { seen.nested = inner.encoder }
        #expect(seen.nested != nil)
        var innermost = inner.nestedContainer(keyedBy: Key.self)
        try innermost.encode(1, forKey: .inner)
        if fails { throw CancellationError() }
      }
    }
    let seen = Seen()
    _ = try JSONValue(encoding: Nested(seen: seen, fails: false))
    #expect(seen.encoder == nil && seen.nested == nil)
    #expect(throws: CancellationError.self) {
      try JSONValue(encoding: Nested(seen: seen, fails: true))
    }
    #expect(seen.encoder == nil && seen.nested == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `numbers that JSON cannot represent throw an error with their path`(number: Double) throws {
    let error = #expect(throws: EncodingError.self) {
      try JSONValue(encoding: ["outer": ["ratio": number]])
    }
    guard case .invalidValue(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["outer", "ratio"])
  }

  @Test(arguments: ["</script>", "<!--", "&amp;", "\u{2028}", "\u{2029}", "\u{0}", "\u{7F}", "é🙂"])
  func `text inside HTML is preserved and cannot close the script element`(text: String) throws {
    let bytes = JSONValue.string(text).serialized(.html)
    let embedded = String(decoding: bytes, as: UTF8.self)
    for forbidden in ["<", ">", "&", "\u{2028}", "\u{2029}"] {
      #expect(!embedded.contains(forbidden))
    }
    #expect(try JSONValue(parsing: bytes) == .string(text))
    #expect(try JSONValue(parsing: JSONValue.string(text).serialized()) == .string(text))
  }

  @Test(
    arguments: [
      ("a.b", 1), ("list.1.x", 2), ("list.length", 2), ("list.2", nil), ("a.b.c", nil),
      ("nothing", nil), ("list.x", nil),
    ] as [(String, JSONValue?)])
  func `paths find members of objects and elements of arrays`(path: String, expected: JSONValue?) {
    let value: JSONValue = ["a": ["b": 1], "list": [["x": 1], ["x": 2]]]
    #expect(value.value(at: path) == expected)
  }

  @Test(arguments: [
    "2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000Z", "2026-01-31T10:30:00+01:00",
  ])
  func `dates are parsed with and without fractional seconds`(text: String) throws {
    let body = Data("[\"\(text)\"]".utf8)
    let dates = try WireFormat.decoder().decode([Date].self, from: body)
    #expect(dates == [Date(timeIntervalSince1970: 1_769_851_800)])
  }

  @Test(arguments: [
    (Float(0.1), "0.1"), (-2.5, "-2.5"), (16_777_216, "16777216.0"),
    (.leastNonzeroMagnitude, "1e-45"),
    (.greatestFiniteMagnitude, "3.4028235e+38"),
  ])
  func `a Float is encoded with its shortest text at every place`(value: Float, text: String) throws
  {
    struct Holder: Encodable { var member: Float }
    #expect(try JSONValue(encoding: value).description == text)
    #expect(try JSONValue(encoding: [value]).description == "[\(text)]")
    #expect(try JSONValue(encoding: Holder(member: value)).description == "{\"member\":\(text)}")
    #expect(try JSONDecoder().decode([Float].self, from: Data("[\(text)]".utf8)) == [value])
  }

  @Test func `encoding a Float that is NaN throws an error`() {
    #expect(throws: EncodingError.self) { try JSONValue(encoding: Float.nan) }
    #expect(throws: EncodingError.self) { try JSONValue(encoding: [Float.infinity]) }
  }
}
