/// Writes JSON that looks like a request, with extreme values, wrong types and missing fields.
struct JSONWriter {
  var choices: Choices
  /// The ids that several changes of an attack share.
  static let ids = ["a", "b", "e\u{301}", "\u{E9}", "A-1", "", "x y", "<i>", "\u{0}"]

  mutating func number() -> String {
    if choices.happens(oneIn: 5) {
      let value = Double(bitPattern: choices.word())
      return value.isFinite ? "\(value)" : "1e999"
    }
    if choices.happens(oneIn: 5) { return "\(Int64(bitPattern: choices.word()))" }
    return choices.element(of: [
      "1", "0", "-1", "2", "1800000000", "1800003600", "1810000000", "9223372036854775807",
      "-9223372036854775808", "9223372036854775808", "2147483647", "2147483648", "1e308", "-1e308",
      "1e999", "5e-324", "0.5", "-0", "1e15", "-62135596800", "253402300800", "2115700000",
      "9007199254740993", "1E400", "18446744073709551615",
    ])
  }

  mutating func text() -> String {
    if choices.happens(oneIn: 6) {
      let units = (0..<choices.index(below: 12)).map { _ in
        "\\u" + hexadecimal(choices.byte()) + hexadecimal(choices.byte())
      }
      return "\"\(units.joined())\""
    }
    return quoted(
      choices.element(of: [
        "Ana", "Swim", "Ben", "", " ", "ana", "\u{410}na", "A\u{301}na", "\u{202E}anA",
        "An\u{200B}a", "👩\u{200D}🚀", "\u{0}", "\u{1B}[31m", "<script>", "a\nb", " Ana ",
        String(repeating: "x", count: 121), String(repeating: "e\u{301}", count: 41),
        String(repeating: "\u{301}", count: 500), String(repeating: "n", count: 5_000),
        "\u{FDFA}\u{FDFA}", "https://example.org/", "http://[::1", "İ", "ﬃ", "\u{D7FF}\u{E000}",
      ]))
  }

  mutating func id() -> String { quoted(choices.element(of: Self.ids)) }

  /// An object of members; some of them are missing, repeated or of another type.
  mutating func object(_ members: KeyValuePairs<String, (inout JSONWriter) -> String>) -> String {
    var parts: [String] = []
    for (name, write) in members {
      let value = write(&self)
      if choices.happens(oneIn: 60) { continue }
      parts.append("\(quoted(name)):\(choices.happens(oneIn: 40) ? odd() : value)")
      if choices.happens(oneIn: 120) { parts.append("\(quoted(name)):\(odd())") }
    }
    return "{\(parts.joined(separator: ","))}"
  }

  mutating func array(
    upTo limit: Int, _ write: (inout JSONWriter) -> String
  ) -> String {
    let count = choices.index(below: limit + 1)
    return "[" + (0..<count).map { _ in write(&self) }.joined(separator: ",") + "]"
  }

  /// A value of any type.
  private mutating func odd() -> String {
    switch choices.index(below: 8) {
    case 0: "null"
    case 1: "true"
    case 2: "[]"
    case 3: "{}"
    case 4: number()
    case 5: text()
    case 6: String(repeating: "[", count: 700) + String(repeating: "]", count: 700)
    default: String(repeating: #"{"a":"#, count: 300) + "1" + String(repeating: "}", count: 300)
    }
  }

  func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..<" ": quoted += "\\u00" + hexadecimal(UInt8(scalar.value))
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}

/// Changes of the four collections, in the form in which devices send them.
extension JSONWriter {
  mutating func activityMutation() -> String {
    switch choices.index(below: 8) {
    case 0, 1, 2: #"{"create":{"_0":\#(record())}}"#
    case 3, 4:
      #"{"edit":"#
        + object([
          "id": { $0.id() }, "from": { $0.activityText() }, "to": { $0.activityText() },
          "at": { $0.number() },
        ]) + "}"
    case 5: #"{"join":"# + object(["id": { $0.id() }, "person": { $0.text() }]) + "}"
    case 6: #"{"leave":"# + object(["id": { $0.id() }, "person": { $0.text() }]) + "}"
    default: #"{"delete":"# + object(["id": { $0.id() }]) + "}"
    }
  }

  mutating func record() -> String {
    object([
      "id": { $0.id() }, "title": { $0.text() }, "place": { $0.text() }, "notes": { $0.text() },
      "start": { $0.number() }, "host": { $0.text() },
      "participants": { $0.array(upTo: 3) { $0.text() } }, "created": { $0.number() },
      "updated": { $0.number() }, "revision": { $0.number() },
    ])
  }

  private mutating func activityText() -> String {
    object([
      "title": { $0.text() }, "place": { $0.text() }, "notes": { $0.text() },
      "start": { $0.number() },
    ])
  }

  mutating func personMutation() -> String {
    #"{"setPicture":"# + object(["name": { $0.text() }, "picture": { $0.text() }]) + "}"
  }

  mutating func linkMutation() -> String {
    if choices.happens(oneIn: 4) { return #"{"remove":"# + object(["id": { $0.id() }]) + "}" }
    return #"{"add":{"_0":"#
      + object(["id": { $0.id() }, "target": { $0.text() }, "created": { $0.number() }]) + "}}"
  }

  mutating func groupMutation() -> String {
    if choices.happens(oneIn: 4) { return #"{"leave":"# + object(["id": { $0.id() }]) + "}" }
    return #"{"found":{"_0":"# + object(["id": { $0.text() }, "name": { $0.text() }]) + "}}"
  }

  /// The body of a request with changes.
  mutating func changes(_ mutation: @escaping (inout JSONWriter) -> String) -> String {
    array(upTo: 4) { writer in
      let key = writer.choices.word()
      return writer.object([
        "key": { $0.choices.happens(oneIn: 20) ? $0.text() : "\"\(key)\"" },
        "mutation": { mutation(&$0) },
      ])
    }
  }
}
