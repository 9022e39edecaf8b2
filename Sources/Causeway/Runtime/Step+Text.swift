extension Step {
  /// What a report calls the cause.
  package var causeText: String {
    switch cause {
    case .action(let action, nil): "the action \(Abbreviation.one("\(action)"))"
    case .action(let action, let effect?):
      "the action \(Abbreviation.one("\(action)")) from effect \(label(effect))"
    case .update(let effect): "an update from effect \(label(effect))"
    case .failure(let effect): "an error from effect \(label(effect))"
    }
  }

  /// The cause at the beginning of a sentence.
  package var subject: String {
    causeText.prefix(1).uppercased() + causeText.dropFirst()
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

  private func label(_ effect: EffectID) -> String {
    effectNumber.map(effect.label) ?? effect.description
  }
}

extension EffectID {
  /// The id and the number of an effect, which tells effects with the same id apart.
  package func label(_ number: Int) -> String {
    "\(self) #\(number)"
  }
}
