import Foundation

/// The lines of a calendar (RFC 5545, section 3.1).
struct ContentLines {
  /// The longest line in bytes, without its end.
  private static let longest = 75

  /// Shared, because it takes long to make a `Calendar`.
  private static let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private(set) var bytes: [UInt8] = []

  /// Adds a line whose value needs no escapes.
  mutating func add(_ name: String, _ value: String) {
    // A line break in a value, such as that of an address, would begin another property.
    write("\(name):" + String(String.UnicodeScalarView(value.unicodeScalars.filter(Self.isShown))))
  }

  /// Adds a line with a text (section 3.3.11).
  mutating func add(_ name: String, text: String) {
    var value = ""
    for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
      switch scalar {
      case "\\", ";", ",": value += "\\\(scalar)"
      case "\n", "\r": value += "\\n"
      case "\t": value.unicodeScalars.append(scalar)
      default: if Self.isShown(scalar) { value.unicodeScalars.append(scalar) }
      }
    }
    write("\(name):\(value)")
  }

  /// Adds a line with a date in UTC (section 3.3.5), to the second.
  mutating func add(_ name: String, _ date: Date) {
    let parts = Self.calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    func digits(_ number: Int?, _ count: Int) -> String {
      let text = "\(number ?? 0)"
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    write(
      "\(name):\(digits(parts.year, 4))\(digits(parts.month, 2))\(digits(parts.day, 2))T"
        + "\(digits(parts.hour, 2))\(digits(parts.minute, 2))\(digits(parts.second, 2))Z")
  }

  /// Whether a line may contain the character: the format allows no control characters.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .control
  }

  /// Writes a line, folded between characters.
  private mutating func write(_ line: String) {
    var length = 0
    for scalar in line.unicodeScalars {
      let character = String(scalar).utf8
      if length + character.count > Self.longest {
        bytes += "\r\n ".utf8
        length = 1
      }
      bytes += character
      length += character.count
    }
    bytes += "\r\n".utf8
  }
}
