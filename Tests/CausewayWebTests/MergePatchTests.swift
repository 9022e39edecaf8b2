import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct MergePatchTests {
  /// The table of RFC 7396, appendix A.
  static let table: [(original: String, patch: String, result: String)] = [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
    (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
    (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
    (#"{"a":"foo"}"#, #"null"#, #"null"#),
    (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
    (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
    (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
  ]

  @Test(arguments: table)
  func `patches are applied as the RFC's table specifies`(
    row: (original: String, patch: String, result: String)
  ) throws {
    let original = try JSONValue(parsing: row.original.utf8)
    let patch = try JSONValue(parsing: row.patch.utf8)
    let result = try JSONValue(parsing: row.result.utf8)
    #expect(MergePatch.apply(patch, to: original) == result)
  }

  @Test func `a row whose id is spelled in another way is another row`() throws {
    let old: JSONValue = [["id": "e\u{301}", "n": 1], ["id": "b"], ["id": "c"]]
    let changed: JSONValue = ["id": "\u{e9}", "n": 1]
    for new in [
      [changed, ["id": "b"]], [["id": "b"], ["id": "c"], changed],
      [changed, ["id": "b"], ["id": "c"]],
    ] as [JSONValue] {
      let patch = try #require(MergePatch.difference(from: old, to: new))
      let text = String(decoding: patch.serialized(), as: UTF8.self)
      #expect(text.unicodeScalars.contains("\u{301}") && text.unicodeScalars.contains("\u{e9}"))
      #expect(MergePatch.apply(patch, to: old).serialized() == new.serialized())
    }
  }

  @Test func `a text that is spelled in another way is a change`() throws {
    let (old, new) = ("e\u{301}", "\u{e9}")
    for (old, new) in [
      ([.string(old)], [.string(new)]),
      (["a": [["id": .string(old)]]], ["a": [["id": .string(new)]]]),
      ([["id": 1, "text": .string(old)]], [["id": 1, "text": .string(new)]]),
    ] as [(JSONValue, JSONValue)] {
      let patch = try #require(MergePatch.difference(from: old, to: new))
      #expect(MergePatch.apply(patch, to: old) == new)
    }
  }

  @Test func `equal documents have no difference`() {
    let value: JSONValue = ["a": [1, 2], "b": ["c": "d"]]
    #expect(MergePatch.difference(from: value, to: value) == nil)
  }

  @Test func `a difference contains only the changes`() {
    let old: JSONValue = ["kept": 1, "gone": 2, "inner": ["kept": true, "changed": "a"]]
    let new: JSONValue = ["kept": 1, "inner": ["kept": true, "changed": "b"], "added": [3]]
    let patch = MergePatch.difference(from: old, to: new)
    #expect(
      patch == ["gone": .null, "inner": ["changed": "b"], "added": [3]])
  }

  @Test func `an empty object replaces a value that is not an object`() {
    let old: JSONValue = ["a": 1]
    let new: JSONValue = ["a": [:]]
    #expect(MergePatch.difference(from: old, to: new) == ["a": [:]])
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `applying a difference gives the target`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let old = JSONValue.random(depth: 3, using: &random)
    let new = JSONValue.random(depth: 3, using: &random)
    let patch = MergePatch.difference(from: old, to: new)
    #expect((patch.map { MergePatch.apply($0, to: old) } ?? old) == new, "from \(old) to \(new)")
  }

  private static func row(_ id: Int, _ text: String = "text") -> JSONValue {
    ["id": .string("row-\(id)"), "text": .string(text), "people": ["Ana", "Ben"]]
  }

  @Test func `a change of one row among a thousand takes few bytes`() throws {
    let old = (0..<1000).map { Self.row($0) }
    var new = old
    new[500] = Self.row(500, "changed")
    let patch = try #require(
      MergePatch.difference(from: ["days": .array(old)], to: ["days": .array(new)]))
    #expect(patch == ["days": ["$rows": ["changed": ["row-500": ["text": "changed"]]]]])
    #expect(ServerSentEvent.bytes(name: "patch", id: "9", line: patch.serialized()).count <= 200)
  }

  @Test func `one changed row needs no id that only other rows share`() {
    let others: [JSONValue] = [Self.row(1), Self.row(1, "other")]
    let patch = MergePatch.difference(
      from: .array(others + [Self.row(2)]), to: .array(others + [Self.row(2, "changed")]))
    #expect(patch == ["$rows": ["changed": ["row-2": ["text": "changed"]]]])
    // A script reads the text and the number as the same id. Two spellings of a letter are one
    // member of a patch.
    for (twin, same) in [(["id": 1], "1"), (["id": "\u{e9}"], "e\u{301}")] as [(JSONValue, String)]
    {
      for id in ["1", "e\u{301}"] {
        let old: JSONValue = [twin, ["id": .string(id), "a": 1]]
        let new: JSONValue = [twin, ["id": .string(id), "a": 2]]
        let patch = MergePatch.difference(from: old, to: new)
        #expect((patch == new) == (id == same), "\(old)")
        #expect(patch.map { MergePatch.apply($0, to: old) } == new)
      }
    }
    // The id of the other row gets another spelling.
    let respelled = MergePatch.difference(
      from: [["id": "e\u{301}"], Self.row(2)], to: [["id": "\u{e9}"], Self.row(2, "changed")])
    #expect(respelled?.serialized().contains(0xA9) == true)
    for other in [1, ["name": "x"]] as [JSONValue] {
      let new: JSONValue = [other, Self.row(2, "changed")]
      #expect(MergePatch.difference(from: [other, Self.row(2)], to: new) == new)
    }
  }

  @Test func `rows are inserted, removed and moved one by one`() throws {
    let old = (0..<1000).map { Self.row($0) }
    var new = old
    new.remove(at: 700)
    new.insert(Self.row(2000), at: 300)
    new.append(new.remove(at: 10))
    let patch = try #require(MergePatch.difference(from: .array(old), to: .array(new)))
    #expect(
      patch == [
        "$rows": [
          "gone": ["row-700"], "placed": [[299, Self.row(2000)], [999, "row-10"]],
        ]
      ])
    #expect(MergePatch.apply(patch, to: .array(old)) == .array(new))
  }

  @Test(
    arguments: [
      ([["id": 1], ["id": 1]], [["id": 1], ["id": 2]]), ([["id": 1]], [["id": 2]]),
      ([["id": 1]], [["name": "x"]]), ([["id": 1]], [1]), ([1], [["id": 1]]), ([], [["id": 1]]),
      ([["id": 1]], []), ([["id": true]], [["id": false]]),
      // A script cannot tell 2^53 and 2^53 + 1 apart.
      (
        [["id": 9_007_199_254_740_992], ["id": 9_007_199_254_740_993]],
        [["id": 9_007_199_254_740_992]]
      ),
    ] as [(JSONValue, JSONValue)])
  func `arrays without common ids are sent whole`(old: JSONValue, new: JSONValue) {
    #expect(MergePatch.difference(from: old, to: new) == new)
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `applying a difference of rows gives the target`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    func rows() -> JSONValue {
      let ids = (0..<12).shuffled(using: &random).prefix(Int.random(in: 1...12, using: &random))
      return .array(
        ids.map { id in
          let isText = id.isMultiple(of: 2)
          let inner = (0..<4).shuffled(using: &random).prefix(2).map { Self.row($0) }
          return [
            "id": isText ? .string("\(id)") : .integer(Int64(id)), "inner": .array(inner),
            "value": JSONValue.random(depth: 2, using: &random),
          ]
        })
    }
    let (old, new) = (rows(), rows())
    let patch = MergePatch.difference(from: old, to: new)
    let patched = patch.map { MergePatch.apply($0, to: old) } ?? old
    #expect(patched == new, "from \(old) to \(new)")
    // A page may read an event twice.
    let again = patch.map { MergePatch.apply($0, to: patched) } ?? patched
    #expect(again == new, "from \(old) to \(new)")
  }
}

/// SplitMix64: the same documents for the same seed on every platform.
private struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension JSONValue {
  /// A document without null members, made of few names and values, so documents overlap.
  fileprivate static func random(
    depth: Int, using random: inout SeededRandom
  ) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &random) {
    case 0: return .integer(Int64.random(in: 0..<3, using: &random))
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .string(["", "a", "b"][Int.random(in: 0..<3, using: &random)])
    case 3:
      return .array(
        (0..<Int.random(in: 0..<3, using: &random)).map { _ in
          JSONValue.random(depth: depth - 1, using: &random)
        })
    default:
      var members: [String: JSONValue] = [:]
      for name in ["a", "b", "c"] where Bool.random(using: &random) {
        members[name] = JSONValue.random(depth: depth - 1, using: &random)
      }
      return .object(members)
    }
  }
}
