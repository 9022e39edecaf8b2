import Causeway

/// Names the effects of one model in its reports.
///
/// A nameless effect is named by the action that started it.
@MainActor
final class EffectNames<State: Sendable, Action: Sendable> {
  /// The actions that started nameless effects, by the effects' numbers.
  private var starters: [Int: Action] = [:]
  /// The action whose emission is being carried out; `nil` if it is unknown.
  private var current: Action?

  func add(_ step: Step<State, Action>) {
    current = step.action
  }

  func add(_ event: EffectEvent) {
    switch event.kind {
    case .began:
      if event.id.isNameless { starters[event.number] = current }
    case .ended, .cancelled:
      // The next part of a sequence may begin here. It does not belong to the last action.
      current = nil
    case .readState: break
    }
  }

  /// Returns the name and the number of an effect.
  func label(_ id: EffectID, _ number: Int) -> String {
    guard id.isNameless else { return id.label(number) }
    return starters[number].map { "#\(number) of \(Abbreviation.value($0))" } ?? "#\(number)"
  }

  /// Returns the cause of a step.
  func cause(of step: Step<State, Action>) -> String {
    step.causeText(naming: label)
  }

  /// Returns a step in one line.
  func line(_ step: Step<State, Action>) -> String {
    "\(cause(of: step))\(step.changeText.map { ", \($0)" } ?? "")"
  }
}

extension Step {
  var action: Action? {
    if case .action(let action, _) = cause { action } else { nil }
  }
}

extension EffectPlace {
  /// Returns the file and the line, without the module.
  var shortText: String {
    let text = description
    return text.lastIndex(of: "/").map { String(text[text.index(after: $0)...]) } ?? text
  }
}
