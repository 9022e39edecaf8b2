import CausewaySystem

/// The order that a call or the environment asks for.
enum ReplayedOrder {
  static func order(_ text: String?) throws -> TrialOrder? {
    guard let asked = ReplayText.asked(text) else { return nil }
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
