import Causeway

struct Search: Interactor {
  struct State: Sendable {
    var query = ""
    var results: [String] = []
    var problem: String?
  }

  enum Action: Sendable {
    case edit(String)
    case clear
  }

  let find: @Sendable (String) async throws -> [String]

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [find] state, action in
      switch action {
      case .edit(let query):
        state.query = query
        return .perform(.latest, id: "find") { send in
          let results = try await find(query)  // off the main actor
          await send { $0.results = results }  // on it, with the latest state
        } catch: { state, error in
          state.problem = "\(error)"
        }
      case .clear:
        state = State()
        return .cancel("find")
      }
    }
  }
}
