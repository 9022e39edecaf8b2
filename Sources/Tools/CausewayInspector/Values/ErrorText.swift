import Causeway

/// The text of an error that a runtime reports, without the values of the app.
///
/// The descriptions of most errors contain an action, whose values may be secrets.
struct ErrorText {
  /// The name of the case, with the effect or the source location.
  let title: String
  /// The thrown error, with its texts hidden.
  private(set) var value: String?
  private(set) var effect: String?

  /// - Parameter number: The number of the effect that has thrown the error.
  init(_ error: RuntimeError, from number: Int?, hiding rules: RedactionRules) {
    let name = Mirror(reflecting: error).children.first?.label ?? "error"
    switch error {
    case .uncaughtError(let thrown, let effect):
      var rules = rules
      rules.texts = .hidden
      var reader = ValueReader(rules, budget: 200)
      let label = number.map { effect.label($0) } ?? effect.description
      title = "\(label) threw an error"
      value = reader.part(thrown, at: []).expression.shortened(to: 2_000)
      self.effect = label
    case .sendAfterEnd(let effect), .partLeavesGroup(let effect), .sharedCall(let effect, _),
      .nothingToDismiss(let effect):
      title = "\(name) of \(effect)"
      self.effect = effect.description
    case .missingChild(_, _, let site), .closedField(_, let site), .repeatedField(_, let site),
      .answerNotOffered(_, let site):
      title = "\(name) at \(site)"
    case .endlessSends, .endlessActions, .valueNotProvided:
      title = name
    }
  }

  /// The title and the value in one line.
  var line: String { value.map { "\(title): \($0)" } ?? title }
}
