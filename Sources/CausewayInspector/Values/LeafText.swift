import Foundation

/// Makes Swift expressions of values whose parts are not interesting.
enum LeafText {
  /// The longest text, in bytes.
  private static let longest = 2_000

  /// Returns the expression of a value of a common type; `nil` for other types.
  static func shape(of value: Any) -> ValueNode.Shape? {
    switch value {
    case let value as String: text(value)
    case let value as Substring: text(String(value))
    case let value as Character: text(String(value))
    case let value as Bool: .text("\(value)")
    case let value as any BinaryInteger: .text("\(value)")
    case let value as any BinaryFloatingPoint: .text(number("\(value)"))
    case let value as Date:
      .text("Date(timeIntervalSinceReferenceDate: \(value.timeIntervalSinceReferenceDate))")
    case let value as UUID: .text("UUID(uuidString: \"\(value)\")!")
    case let value as URL: .text("URL(string: \(address(value).debugDescription))!")
    case let value as Data: .cut("Data(count: \(value.count))")
    case let value as Decimal: .text("Decimal(\(value))")
    case let value as Duration: .text(duration(value))
    default: nil
    }
  }

  private static func text(_ text: String) -> ValueNode.Shape {
    if text.utf8.count <= longest { return .text(text.debugDescription) }
    return .cut(String(text.prefix(longest)).debugDescription)
  }

  private static func number(_ text: String) -> String {
    switch text {
    case "nan": ".nan"
    case "inf": ".infinity"
    case "-inf": "-.infinity"
    default: text
    }
  }

  /// An address without its user and without the values of its query, which can be secrets.
  private static func address(_ url: URL) -> String {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return "?" }
    if parts.user != nil || parts.password != nil { (parts.user, parts.password) = ("hidden", nil) }
    parts.queryItems = parts.queryItems?.map {
      URLQueryItem(name: $0.name, value: RedactionRules.isSecret($0.name) ? "hidden" : $0.value)
    }
    return parts.string ?? "?"
  }

  private static func duration(_ value: Duration) -> String {
    let (seconds, attoseconds) = value.components
    return attoseconds == 0
      ? ".seconds(\(seconds))"
      : ".nanoseconds(\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))"
  }
}
