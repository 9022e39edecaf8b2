extension JSONValue {
  /// Whether the text is safe inside an HTML script element.
  package enum Escaping: Sendable {
    case standard
    /// `<`, `>`, `&`, U+2028 and U+2029 become `\u` escapes. The text then cannot close the script
    /// element, and cannot end a line of a script.
    case html
  }

  /// The UTF-8 bytes of this value as JSON, without white space.
  ///
  /// Complexity: O(n) in the size of the value.
  package func serialized(_ escaping: Escaping = .standard) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    write(into: &bytes, escaping)
    return bytes
  }

  func write(into bytes: inout [UInt8], _ escaping: Escaping) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
    case .number(let number): bytes.append(contentsOf: String(number).utf8)
    case .string(let text): Self.write(text, into: &bytes, escaping)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        element.write(into: &bytes, escaping)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      var isFirst = true
      for (name, value) in members {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        Self.write(name, into: &bytes, escaping)
        bytes.append(UInt8(ascii: ":"))
        value.write(into: &bytes, escaping)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, into bytes: inout [UInt8], _ escaping: Escaping) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var index = 0
      while index < utf8.count {
        let byte = utf8[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
          bytes.append(UInt8(ascii: "\\"))
          bytes.append(byte)
        case 0..<0x20, 0x7F: writeEscape(UInt16(byte), into: &bytes)
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
          if escaping == .html {
            writeEscape(UInt16(byte), into: &bytes)
          } else {
            bytes.append(byte)
          }
        case 0xE2 where escaping == .html && isLineSeparator(utf8, at: index):
          writeEscape(0x2000 + UInt16(utf8[index + 1] & 0x3F), into: &bytes)
          index += 2
        default: bytes.append(byte)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// U+2028 and U+2029 are E2 80 A8 and E2 80 A9 in UTF-8.
  private static func isLineSeparator(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    index + 1 < utf8.count && utf8[index] == 0x80 && (utf8[index + 1] & 0xFE) == 0xA8
  }

  private static func writeEscape(_ unit: UInt16, into bytes: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
    for shift in [12, 8, 4, 0] { bytes.append(digits[Int(unit >> UInt16(shift)) & 0xF]) }
  }
}

extension JSONValue: CustomStringConvertible {
  package var description: String { String(decoding: serialized(), as: UTF8.self) }
}
