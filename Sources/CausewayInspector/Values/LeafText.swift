import CausewayNetwork
import Foundation

/// Makes Swift expressions of values whose parts are not interesting.
enum LeafText {
  /// The longest text, in bytes.
  private static let longest = 2_000

  /// Returns the expression of a value of a common type; `nil` for other types.
  static func shape(
    of value: Any, texts: RedactionRules.Texts = .shown
  ) -> ValueNode.Shape? {
    switch texts {
    case .shown: break
    case .hidden:
      if value is any StringProtocol || value is Character || value is URL || value is [UInt8] {
        return ValueNode.hidden(value)
      }
    case .addresses(let names):
      if let value = value as? any StringProtocol {
        return text(address(String(value), hidingAfter: names))
      }
      if let value = value as? URL { return link(value, hidingAfter: names) }
    }
    return plain(value)
  }

  private static func plain(_ value: Any) -> ValueNode.Shape? {
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
    case let value as URL: link(value)
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

  private static func link(_ url: URL, hidingAfter names: Set<String> = []) -> ValueNode.Shape {
    let shown = address(url.absoluteString, hidingAfter: names)
    let expression = "URL(string: \(shown.debugDescription))!"
    return shown == url.absoluteString ? .text(expression) : .cut(expression)
  }

  /// An address without its user, its fragment, the values of its query and secret parts of its path.
  private static func address(_ text: String, hidingAfter names: Set<String>) -> String {
    RecordedEvent.hiding(names, in: NetworkError.redacted(text))
  }

  private static func duration(_ value: Duration) -> String {
    let (seconds, attoseconds) = value.components
    return attoseconds == 0
      ? ".seconds(\(seconds))"
      : ".nanoseconds(\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))"
  }
}
