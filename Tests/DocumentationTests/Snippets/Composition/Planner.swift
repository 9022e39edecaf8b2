import Causeway

struct PierFinder: Interactor {
  struct State: Equatable, Sendable {
    var query = ""
    var piers: [String] = []
  }

  enum Action: Equatable, Sendable {
    case edit(String)
  }

  var find: @Sendable (String) async throws -> [String] = { [$0] }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [find] state, action in
      switch action {
      case .edit(let query):
        state.query = query
        return .perform(.latest, id: "find") { send in
          let piers = try await find(query)
          await send { $0.piers = piers }
        }
      }
    }
  }
}

// snippet
struct Planner: Interactor {
  struct State: Equatable, Sendable {
    var origin = PierFinder.State()
    var destination = PierFinder.State()
    var isComplete = false
  }

  enum Action: Equatable, Sendable {
    case origin(PierFinder.Action)
    case destination(PierFinder.Action)

    var origin: PierFinder.Action? { if case .origin(let action) = self { action } else { nil } }
    var destination: PierFinder.Action? {
      if case .destination(let action) = self { action } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, _ in
      // The child that the action was for has handled it already.
      state.isComplete = !state.origin.query.isEmpty && !state.destination.query.isEmpty
      return .state
    }
    .scope(state: \.origin, action: \.origin, embed: Action.origin) { PierFinder() }
    .scope(state: \.destination, action: \.destination, embed: Action.destination) { PierFinder() }
  }
}
// end
