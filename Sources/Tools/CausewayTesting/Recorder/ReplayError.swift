/// The reason why a timeline could not be replayed.
public enum ReplayError: Error, CustomStringConvertible, Equatable {
  /// The state after a step differs from the recorded state.
  case otherState(step: Int, difference: String)

  /// The difference, and its likely cause.
  public var description: String {
    switch self {
    case .otherState(let step, let difference):
      """
      Step \(step) led to another state than in the recording. The feature's handlers have changed \
      since the recording, or depend on values other than the state and the action:
      \(difference)
      """
    }
  }
}
