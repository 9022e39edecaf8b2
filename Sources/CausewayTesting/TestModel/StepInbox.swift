import Causeway

/// The steps that no assertion has taken yet.
@MainActor
final class StepInbox<State: Sendable, Action: Sendable> {
  private(set) var steps: [Step<State, Action>] = []
  var problems: [RuntimeError] = []

  func append(_ step: Step<State, Action>) {
    steps.append(step)
  }

  /// Adds a problem, unless it may be intended.
  func add(_ problem: RuntimeError) {
    if case .sharedCall = problem { return }
    problems.append(problem)
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
