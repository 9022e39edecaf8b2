import Causeway

/// An interactor whose actions define their own behaviour, so a test shows the whole scenario.
struct Script: Interactor {
  nonisolated struct State: Sendable, Equatable {
    var numbers: [Int] = []
    var text = ""
    var other = 0
  }

  enum Action: Sendable {
    case add(Int)
    case run(@MainActor @Sendable (inout State) -> Emission<State, Action>)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .add(let number):
        state.numbers.append(number)
        return .state
      case .run(let body):
        return body(&state)
      }
    }
  }
}

extension ViewModel where Action == Script.Action {
  /// Handles a closure as an action.
  @MainActor
  @discardableResult
  func run(
    _ body:
      @escaping @MainActor @Sendable (inout Script.State) -> Emission<
        Script.State, Script.Action
      >
  ) -> ActionTask {
    send(.run(body))
  }
}
