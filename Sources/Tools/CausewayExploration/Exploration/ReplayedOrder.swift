import CausewaySystem

/// The order that a call or the environment asks for.
enum ReplayedOrder {
  /// The name of the environment variable.
  static let variable = "CAUSEWAY_REPLAY"

  static func order(_ text: String?) throws -> TrialOrder? {
    let asked = text ?? getenv(variable).map { String(cString: $0) } ?? ""
    // An empty variable is one that is not set.
    if text == nil, asked.isEmpty { return nil }
    guard let order = TrialOrder(asked) else { throw Unreadable(text: asked) }
    return order
  }

  private struct Unreadable: Error, CustomStringConvertible {
    let text: String

    var description: String {
      "\"\(text)\" is not the text of an order, such as \"4.1-9.2\", which a failure prints"
    }
  }
}
