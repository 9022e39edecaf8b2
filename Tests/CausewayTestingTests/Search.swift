import Causeway

/// A feature with a debounced effect that sends an update and then an action.
struct Search: Interactor {
  struct State: Sendable, Equatable {
    var query = ""
    var results: [String] = []
    var isLoading = false
  }

  enum Action: Sendable, Equatable {
    case edit(String)
    case loaded([String])
    case clear

    var loaded: [String]? {
      if case .loaded(let results) = self { results } else { nil }
    }
  }

  var find: @Sendable (String) async throws -> [String] = { ["\($0) guide"] }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [find] state, action in
      switch action {
      case .edit(let query):
        state.query = query
        return .perform(.debounce(for: .milliseconds(300)), id: "search") { send in
          await send { $0.isLoading = true }
          let results = try await find(query)
          await send(.loaded(results))
        }
      case .loaded(let results):
        state.results = results
        state.isLoading = false
        return .state
      case .clear:
        state = State()
        return .cancel("search")
      }
    }
  }
}
