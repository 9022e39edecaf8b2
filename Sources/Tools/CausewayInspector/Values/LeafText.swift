import CausewayNetwork
import Foundation

/// Makes Swift expressions of values that are shown without their parts.
enum LeafText {
  /// The longest text, in bytes.
  private static let longest = 2_000

  /// Returns the expression of a value of a common type; `nil` for other types.
  static func shape(
    of value: Any, texts: RedactionRules.Texts = .shown
  ) -> ValueNode.Shape? {
    shape(of: value, TypeFacts.of(value).leaf, texts)
  }

  /// Whether a value has no parts that are shown by themselves.
  static func isLeaf(_ value: Any, _ texts: RedactionRules.Texts) -> Bool {
    TypeFacts.of(value).leaf != nil || texts == .hidden && value is [UInt8]
  }

  /// - Parameter leaf: The common type of the value, or of the value in an optional.
  static func shape(
    of value: Any, _ leaf: TypeFacts.Leaf?, _ texts: RedactionRules.Texts
  ) -> ValueNode.Shape? {
    switch (texts, leaf) {
    case (.hidden, .string), (.hidden, .substring), (.hidden, .character), (.hidden, .url):
      ValueNode.hidden(value)
    case (.hidden, nil) where value is [UInt8]: ValueNode.hidden(value)
    case (_, nil): nil
    case (.addresses(let names), .string), (.addresses(let names), .substring):
      (value as? any StringProtocol).map { text(address(String($0), hidingAfter: names)) }
    case (.addresses(let names), .url): (value as? URL).map { link($0, hidingAfter: names) }
    case (_, let leaf?): plain(value, leaf)
    }
  }

  /// An empty optional has no expression here.
  private static func plain(_ value: Any, _ leaf: TypeFacts.Leaf) -> ValueNode.Shape? {
    switch leaf {
    case .string: (value as? String).map(text)
    case .substring: (value as? Substring).map { text(String($0)) }
    case .character: (value as? Character).map { text(String($0)) }
    case .url: (value as? URL).map { link($0) }
    case .bool: (value as? Bool).map { .text("\($0)") }
    case .integer: (value as? any BinaryInteger).map { .text("\($0)") }
    case .number: (value as? any BinaryFloatingPoint).map { .text(number("\($0)")) }
    case .date:
      (value as? Date).map {
        .text("Date(timeIntervalSinceReferenceDate: \($0.timeIntervalSinceReferenceDate))")
      }
    case .uuid: (value as? UUID).map { .text("UUID(uuidString: \"\($0)\")!") }
    case .data: (value as? Data).map { .cut("Data(count: \($0.count))") }
    case .decimal: (value as? Decimal).map { .text("Decimal(\($0))") }
    case .duration: (value as? Duration).map { .text(duration($0)) }
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
