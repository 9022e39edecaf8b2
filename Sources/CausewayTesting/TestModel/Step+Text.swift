import Causeway

extension Step.Cause {
  /// What a report calls it.
  var text: String {
    switch self {
    case .action(let action, nil): "the action \(Abbreviation.one("\(action)"))"
    case .action(let action, let effect?):
      "the action \(Abbreviation.one("\(action)")) from effect \(effect)"
    case .update(let effect): "an update from effect \(effect)"
    case .failure(let effect): "an error from effect \(effect)"
    }
  }
}
