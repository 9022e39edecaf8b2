import Causeway

// snippet
struct PostBox: Interactor {
  struct State: Equatable, Sendable {
    var letters: [String] = []
    var isStamped = false
  }

  enum Action: Equatable, Sendable {
    case refresh
    case follow
    case stampAfterRefresh
    case stamp
  }

  let read: @Sendable () async throws -> [String]
  let arrivals: @Sendable () -> AsyncStream<String>

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [read, arrivals] state, action in
      switch action {
      case .refresh:
        return .perform(.latest, id: "refresh") { send in
          let letters = try await read()
          await send { $0.letters = letters }
        }
      case .follow:
        return .observe(arrivals()) { state, letter in state.letters.append(letter) }
      case .stampAfterRefresh:
        return .sequence(.action(.refresh), .action(.stamp))
      case .stamp:
        state.isStamped = !state.letters.isEmpty
        return .state
      }
    }
  }
}
// end
