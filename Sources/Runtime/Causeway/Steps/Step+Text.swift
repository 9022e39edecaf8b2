extension Step {
  /// The cause, for a report.
  package var causeText: String { causeText { $0.label($1) } }

  /// The cause, for a report.
  ///
  /// - Parameter label: Returns the text for an effect from its id and its number.
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

  /// The change in one line; `nil` if the state is the same.
  package var changeText: String? {
    Self.text(of: Difference(expected: before, actual: after).lines)
  }

  /// The lines of a difference in one line; `nil` if there are none.
  static func text(of lines: [Difference.Line]) -> String? {
    if lines.isEmpty { return nil }
    let changes = lines.prefix(4).map {
      "\($0.path.isEmpty ? "state" : $0.path): \($0.expected ?? "–") → \($0.actual ?? "–")"
    }
    return changes.joined(separator: ", ") + (lines.count > 4 ? ", …" : "")
  }
}
