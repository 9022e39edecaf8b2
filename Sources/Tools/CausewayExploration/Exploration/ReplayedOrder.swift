import CausewaySystem

/// The order that a call or the environment asks for.
enum ReplayedOrder {
  /// The name of the environment variable.
  static let variable = "CAUSEWAY_REPLAY"

  static func order(_ text: String?) -> TrialOrder? {
    guard let text = text ?? getenv(variable).map({ String(cString: $0) }) else { return nil }
    guard let order = TrialOrder(text) else {
      preconditionFailure("\"\(text)\" is not the text of an order, such as \"4.1-9.2\"")
    }
    return order
  }
}
