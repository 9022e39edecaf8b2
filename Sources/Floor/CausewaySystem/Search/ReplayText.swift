/// The text of the trial that a call or the environment asks to repeat.
package enum ReplayText {
  /// The name of the environment variable.
  package static let variable = "CAUSEWAY_REPLAY"

  /// Returns the text of the call, or else the text of the environment; `nil` for a search.
  package static func asked(_ text: String?) -> String? {
    if let text { return text }
    let asked = getenv(variable).map { String(cString: $0) }
    // An empty variable counts as not set.
    return asked == "" ? nil : asked
  }
}
