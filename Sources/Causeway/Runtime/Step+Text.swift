extension Step {
  /// What a report calls the cause.
  package var causeText: String { causeText { $0.label($1) } }

  /// What a report calls the cause.
  ///
  /// - Parameter label: Names an effect by its id and its number.
  package func causeText(naming label: (EffectID, Int) -> String) -> String {
    func name(_ effect: EffectID) -> String {
      effectNumber.map { label(effect, $0) } ?? effect.description
    }
    return switch cause {
    case .action(let action, nil): "the action \(Abbreviation.value(action))"
    case .action(let action, let effect?):
      "the action \(Abbreviation.value(action)) from effect \(name(effect))"
    case .update(let effect): "an update from effect \(name(effect))"
    case .failure(let effect): "an error from effect \(name(effect))"
    }
  }

  /// What changed, in one line; `nil` if nothing did.
  package var changeText: String? {
    let lines = Difference(expected: before, actual: after).lines
    if lines.isEmpty { return nil }
    let changes = lines.prefix(4).map {
      "\($0.path.isEmpty ? "state" : $0.path): \($0.expected ?? "–") → \($0.actual ?? "–")"
    }
    return changes.joined(separator: ", ") + (lines.count > 4 ? ", …" : "")
  }

}

extension EffectID {
  /// The id and the number of an effect, which tells effects with the same id apart.
  package func label(_ number: Int) -> String {
    "\(self) #\(number)"
  }
}
