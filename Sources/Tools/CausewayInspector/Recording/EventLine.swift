/// Writes an event as a line of JSON, in the format of a `JSONEncoder` with sorted keys.
///
/// It takes a few percent of the encoder's time, because the ring needs a line on the main actor
/// before each action.
struct EventLine {
  private(set) var bytes: [UInt8] = []

  init(_ event: RecordedEvent) {
    bytes.reserveCapacity(256 + (event.value?.utf8.count ?? 0))
    add("{\"at\":", event.at)
    if let changes = event.changes {
      add(",\"changes\":[")
      for (index, change) in changes.enumerated() {
        add(index == 0 ? "{" : ",{")
        if let after = change.after { add("\"after\":", after, ",") }
        if let before = change.before { add("\"before\":", before, ",") }
        add("\"path\":", change.path, "}")
      }
      add("]")
    }
    if let effect = event.effect { add(",\"effect\":", effect) }
    add(",\"kind\":", event.kind.rawValue)
    add(",\"lane\":", event.lane.rawValue)
    if let model = event.model { add(",\"model\":", model) }
    add(",\"n\":", event.n)
    if let origin = event.origin { add(",\"origin\":", origin) }
    if let step = event.step { add(",\"step\":", step) }
    add(",\"title\":", event.title)
    if let took = event.took { add(",\"took\":", took) }
    if let value = event.value { add(",\"value\":", value) }
    add("}\n")
  }

  private mutating func add(_ text: StaticString) {
    text.withUTF8Buffer { bytes += $0 }
  }

  private mutating func add(_ key: StaticString, _ number: Int) {
    add(key)
    bytes += String(number).utf8
  }

  private mutating func add(_ key: StaticString, _ text: String, _ end: StaticString = "") {
    add(key)
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      // Most texts need no escape.
      if utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
        bytes += utf8
      } else {
        for byte in utf8 { escape(byte) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
    add(end)
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): add("\\\"")
    case UInt8(ascii: "\\"): add("\\\\")
    case 0x08: add("\\b")
    case 0x09: add("\\t")
    case 0x0a: add("\\n")
    case 0x0c: add("\\f")
    case 0x0d: add("\\r")
    case ..<0x20:
      let digits: StaticString = "0123456789abcdef"
      add("\\u00")
      digits.withUTF8Buffer { bytes += [$0[Int(byte >> 4)], $0[Int(byte & 15)]] }
    default: bytes.append(byte)
    }
  }
}
