public import Causeway

extension Timeline where State: Equatable {
  /// Repeats the recorded steps with a new copy of the feature.
  ///
  /// Actions, from outside and from effects, are handled again. No effect starts: the states after
  /// updates of effects come from the recording.
  ///
  /// Complexity: O(*n*) in the number of steps.
  ///
  /// - Parameter interactor: The feature.
  /// - Returns: The state after each step.
  /// - Throws: ``ReplayError`` at the first step after which the state differs from the recorded
  ///   state.
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
      if !SameValue.isEqual(entry.state, state) {
        throw .otherState(
          step: entry.number,
          difference: Difference(expected: entry.state, actual: state).description)
      }
      states.append(state)
    }
    return states
  }
}
