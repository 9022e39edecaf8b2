import Causeway

// snippet
/// Implemented by an actor that talks to the port's server, and by a value in tests.
protocol Timetable: Sendable {
  func departures(from pier: String) async throws -> [Departure]
}

struct Departure: Identifiable, Equatable, Sendable {
  let id: Int
  var destination: String
  var minutes: Int
}
// end

// snippet
struct Departures: Interactor {
  struct State: Equatable, Sendable {
    var pier = "North"
    var list: [Departure] = []
    var isLoading = false
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    case appear
    case choosePier(String)
    case dismissProblem
  }

  let timetable: any Timetable

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .appear:
        return load(&state)
      case .choosePier(let pier):
        state.pier = pier
        return load(&state)
      case .dismissProblem:
        state.problem = nil
        return .state
      }
    }
  }

  private func load(_ state: inout State) -> Emission<State, Action> {
    state.isLoading = true
    state.problem = nil
    let pier = state.pier
    return .perform(.latest, id: "load") { [timetable] send in
      let list = try await timetable.departures(from: pier)
      await send {
        $0.list = list
        $0.isLoading = false
      }
    } catch: { state, error in
      state.problem = "The timetable cannot be read: \(error)"
      state.isLoading = false
    }
  }
}
// end
