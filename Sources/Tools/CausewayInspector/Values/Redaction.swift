/// The parts of a feature's states and actions that an inspector must not show or record.
///
/// ```swift
/// let redaction = Redaction<Search.State, Search.Action>()
///   .hiding(\.draft.text).hiding(named: "rename")
/// ```
///
/// Without rules, an inspector already hides a value if its name or the name of its type contains a
/// usual word for a secret, such as *passphrase*, *token* or *credential*.
public struct Redaction<State: Sendable, Action: Sendable>: Sendable {
  package private(set) var rules = RedactionRules()

  /// Makes a redaction that hides only the values with usual names of secrets.
  public init() {}

  /// Returns a redaction that also hides a part of the state.
  ///
  /// If the key path contains a computed property, the part before that property is hidden.
  public func hiding(_ part: PartialKeyPath<State>) -> Redaction {
    var copy = self
    copy.rules.hiddenPaths.insert(RedactionRules.names(of: part))
    return copy
  }

  /// Returns a redaction that also hides all values with a name, in states and in actions.
  ///
  /// - Parameter name: The name of fields, or of the cases of enums and so of actions.
  public func hiding(named name: String) -> Redaction {
    var copy = self
    copy.rules.hiddenNames.insert(name)
    return copy
  }
}
