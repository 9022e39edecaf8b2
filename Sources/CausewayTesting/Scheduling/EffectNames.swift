import Causeway

/// Names the effects of one model in its reports: by their ids, or those that have none by the
/// actions that started them.
@MainActor
final class EffectNames<State: Sendable, Action: Sendable> {
  /// The actions that started nameless effects, by the effects' numbers.
  private var starters: [Int: Action] = [:]
  /// The action whose emission is being carried out; `nil` where that is not known.
  private var current: Action?

  func add(_ step: Step<State, Action>) {
    current = step.action
  }

  func add(_ event: EffectEvent) {
    switch event.kind {
    case .began:
      if event.id.isNameless { starters[event.number] = current }
    case .ended, .cancelled:
      // The next part of a sequence may begin now, which is none of the last action's.
      current = nil
    case .readState: break
    }
  }

  /// The name and the number of an effect.
  func label(_ id: EffectID, _ number: Int) -> String {
    guard id.isNameless else { return id.label(number) }
    return starters[number].map { "#\(number) of \(Abbreviation.value($0))" } ?? "#\(number)"
  }

  /// What caused a step.
  func cause(of step: Step<State, Action>) -> String {
    step.causeText(naming: label)
  }

  /// A step in one line.
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
  /// The file and the line, without the module.
  var shortText: String {
    let text = description
    return text.lastIndex(of: "/").map { String(text[text.index(after: $0)...]) } ?? text
  }
}
