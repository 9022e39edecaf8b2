import Causeway

/// The steps that no assertion has taken yet.
@MainActor
final class StepInbox<State: Sendable, Action: Sendable> {
  private(set) var steps: [Step<State, Action>] = []
  var problems: [RuntimeError] = []
  /// The effects that have dismissed the feature; in a test, no parent contains the feature.
  private(set) var dismissals: [EffectID] = []

  func append(_ step: Step<State, Action>) {
    steps.append(step)
  }

  /// Adds a problem, unless it may be intended.
  func add(_ problem: RuntimeError) {
    switch problem {
    case .sharedCall: break
    case .nothingToDismiss(let effect): dismissals.append(effect)
    default: problems.append(problem)
    }
  }

  /// Removes the first dismissal of an effect, or of any effect, and returns whether there was one.
  func takeDismissal(of effect: EffectID?) -> Bool {
    guard let index = dismissals.firstIndex(where: { effect == nil || $0 == effect })
    else { return false }
    dismissals.remove(at: index)
    return true
  }

  /// Removes all dismissals.
  func takeDismissals() -> [EffectID] {
    defer { dismissals = [] }
    return dismissals
  }

  /// Removes the step at an index; `nil` if there is none.
  func take(_ index: Int) -> Step<State, Action>? {
    steps.indices.contains(index) ? steps.remove(at: index) : nil
  }

  /// Removes all steps.
  func takeAll() -> [Step<State, Action>] {
    defer { steps = [] }
    return steps
  }
}
