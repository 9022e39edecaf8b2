import CausewayDatabase
import Foundation

/// Converts between the texts of the server's arrays and the JSON of lists in records.
enum ServerArray {
  /// Returns the element type of an array type in `pg_type`; `nil` for every other type.
  static func element(of type: UInt32) -> UInt32? { elements[type] }

  private static let elements: [UInt32: UInt32] = [
    1000: 16, 1001: 17, 1003: 19, 1016: 20, 1005: 21, 1007: 23, 1009: 25, 1028: 26, 199: 114,
    1021: 700, 1022: 701, 1041: 869, 1014: 1042, 1015: 1043, 1182: 1082, 1183: 1083, 1115: 1114,
    1185: 1184, 1187: 1186, 1231: 1700, 2951: 2950, 3807: 3802,
  ]

  private static let bytes: UInt32 = 17

  /// Returns the text of an array for the JSON of a list; `nil` for any other text.
  ///
  /// Dates are numbers in JSON, and bytes are in base64.
  static func literal(ofJSON text: String, element: UInt32) throws(PersistenceError) -> String? {
    let source = Array(text.utf8)
    guard source.first == UInt8(ascii: "[") else { return nil }
    var literal = ""
    var position = 0
    while position < source.count {
      let start = position
      position += 1
      switch Unicode.Scalar(source[start]) {
      case "[": literal += "{"
      case "]": literal += "}"
      case ",": literal += ","
      case "\"":
        while position < source.count, source[position] != UInt8(ascii: "\"") {
          position += source[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
        guard position <= source.count,
          let value = try? JSONDecoder().decode(
            String.self, from: Data(source[start..<position]))
        else { return nil }
        if element == bytes {
          guard let data = Data(base64Encoded: value) else { return nil }
          let digits = data.map { String(Int($0) | 256, radix: 16).dropFirst() }.joined()
          literal += "\"\\\\x\(digits)\""
        } else {
          literal += quoted(value)
        }
      case " ": break
      default:
        while position < source.count, ![0x20, 0x2C, 0x5D].contains(source[position]) {
          position += 1
        }
        let word = String(decoding: source[start..<position], as: UTF8.self)
        if word == "null" {
          literal += "NULL"
        } else if ServerTime.isTime(element), let seconds = Double(word) {
          literal += quoted(
            try ServerTime.text(of: Date(timeIntervalSinceReferenceDate: seconds)))
        } else if ["true", "false"].contains(word) || Double(word) != nil {
          literal += word
        } else {
          // A JSON object cannot be an element of an array.
          return nil
        }
      }
    }
    return literal
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.reduce(into: "") { escaped, scalar in
      if scalar == "\"" || scalar == "\\" { escaped.unicodeScalars.append("\\") }
      escaped.unicodeScalars.append(scalar)
    }
    return "\"\(escaped)\""
  }

  /// Returns the JSON of a list for the text of an array; `nil` for any other text.
  ///
  /// - Parameter element: The type of the elements; `nil` for a type of an app, such as an
  ///   enumeration.
  static func json(ofLiteral text: String, element: UInt32?) -> String? {
    let source = Array(text.utf8)
    var position = 0
    // An array whose first index is not 1 begins with its dimensions.
    if source.first == UInt8(ascii: "[") {
      guard let equals = source.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      position = equals + 1
    }
    guard position < source.count, source[position] == UInt8(ascii: "{") else { return nil }
    var (json, depth) = ("", 0)
    // Whether an element may follow.
    var expectsElement = true
    while position < source.count {
      switch Unicode.Scalar(source[position]) {
      case "{":
        guard expectsElement else { return nil }
        (json, depth, position) = (json + "[", depth + 1, position + 1)
      case "}":
        guard depth > 0 else { return nil }
        (json, depth, position) = (json + "]", depth - 1, position + 1)
        expectsElement = false
      case ",":
        guard depth > 0, !expectsElement else { return nil }
        (json, position, expectsElement) = (json + ",", position + 1, true)
      case let first:
        guard depth > 0, expectsElement else { return nil }
        let isQuoted = first == "\""
        if isQuoted { position += 1 }
        var value: [UInt8] = []
        while position < source.count {
          let byte = source[position]
          if isQuoted ? byte == 0x22 : byte == 0x2C || byte == 0x7D { break }
          if byte == UInt8(ascii: "\\") { position += 1 }
          guard position < source.count else { return nil }
          value.append(source[position])
          position += 1
        }
        if isQuoted {
          guard position < source.count else { return nil }
          position += 1
        }
        let text = String(decoding: value, as: UTF8.self)
        guard let item = item(text, isQuoted: isQuoted, element: element) else { return nil }
        json += item
        expectsElement = false
      }
    }
    return depth == 0 ? json : nil
  }

  private static func item(_ text: String, isQuoted: Bool, element: UInt32?) -> String? {
    if !isQuoted, text.uppercased() == "NULL" { return "null" }
    switch element {
    case 16: return text == "t" ? "true" : "false"
    // JSON has no infinite numbers and no NaN. They stay texts, which cannot be decoded as numbers.
    case 20, 21, 23, 26, 700, 701, 1700:
      return Double(text)?.isFinite == true ? text : jsonString(text)
    case 114, 3802: return text
    case bytes:
      let digits = Array(text.utf8.dropFirst(2))
      guard text.hasPrefix("\\x"), digits.count.isMultiple(of: 2) else { return nil }
      var data = Data()
      for index in stride(from: 0, to: digits.count, by: 2) {
        let pair = String(decoding: digits[index..<(index + 2)], as: UTF8.self)
        guard let byte = UInt8(pair, radix: 16) else { return nil }
        data.append(byte)
      }
      return "\"\(data.base64EncodedString())\""
    case let type?
    where ServerTime.isTime(type):
      return ServerTime.date(text).map { "\($0.timeIntervalSinceReferenceDate)" }
        ?? jsonString(text)
    default: return jsonString(text)
    }
  }

  private static func jsonString(_ text: String) -> String? {
    (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension SQLValue {
  /// Whether the text of the value depends on the type that the server needs.
  var dependsOnType: Bool {
    switch self {
    case .date: true
    // Perhaps a list.
    case .text(let text): text.utf8.first == UInt8(ascii: "[")
    default: false
    }
  }
}
