import Causeway

struct Shelf: Interactor {
  struct State: Sendable, Equatable {
    var filter = ""
    var books: [String] = []
    var isLoading = false
  }

  enum Action: Sendable, Equatable {
    case filter(String)
    case found([String])

    var found: [String]? {
      if case .found(let books) = self { books } else { nil }
    }
  }

  var policy = EffectPolicy.debounce(for: .milliseconds(300))
  var find: @Sendable (String) async throws -> [String]

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [policy, find] state, action in
      switch action {
      case .filter(let filter):
        state.filter = filter
        return .perform(policy, id: "find") { send in
          await send { $0.isLoading = true }
          let books = try await find(filter)
          await send(.found(books))
        }
      case .found(let books):
        state.books = books
        state.isLoading = false
        return .state
      }
    }
  }
}
