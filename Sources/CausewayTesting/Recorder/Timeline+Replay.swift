public import Causeway

/// Why a timeline could not be replayed.
public enum ReplayError: Error, CustomStringConvertible, Equatable {
  /// A step led to another state than when it was recorded.
  case otherState(step: Int, difference: String)

  /// What differs, and what that means.
  public var description: String {
    switch self {
    case .otherState(let step, let difference):
      """
      Step \(step) led to another state than when it was recorded. The feature's handlers have \
      changed since, or depend on something besides state and action:
      \(difference)
      """
    }
  }
}

extension Timeline where State: Equatable {
  /// Takes a fresh copy of the feature through the recorded steps.
  ///
  /// Actions, from outside and from effects, are handled again; no effect is started, what effects
  /// sent as updates is taken from the record.
  ///
  /// Complexity: O(*n*) in the number of steps.
  ///
  /// - Parameter interactor: The feature.
  /// - Returns: The state after each step.
  /// - Throws: ``ReplayError`` at the first step that leads to another state than recorded.
  @MainActor
  public func replay(
    through interactor: some Interactor<State, Action>
  ) throws(ReplayError) -> [State] {
    let resolved = interactor.resolve()
    var state = initialState ?? resolved.initialValue
    var states: [State] = []
    for entry in entries {
      switch entry.cause {
      case .action(let action, _): resolved.replay(action, on: &state)
      case .update, .failure: state = entry.state
      }
      if state != entry.state {
        throw .otherState(
          step: entry.number,
          difference: Difference(expected: entry.state, actual: state).description)
      }
      states.append(state)
    }
    return states
  }
}
