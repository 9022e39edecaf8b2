import Causeway
import Testing

// snippet
nonisolated struct Boat: Identifiable, Hashable, Sendable {
  let id: Int
  var name: String
}

/// Pure, so it need not be on the main actor.
nonisolated func parse(_ text: String) -> [Boat] {
  text.split(separator: ",").enumerated().map { Boat(id: $0, name: String($1)) }
}

struct Fleet: Interactor {
  nonisolated struct State: Equatable, Sendable {
    var boats = IdentifiedArray<Int, Boat>()
  }

  enum Action: Sendable {
    case load(String)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .load(let text):
        return .perform { send in
          let boats = parse(text)  // off the main actor
          await send { $0.boats = IdentifiedArray(uniqueElements: boats) }
        }
      }
    }
  }
}
// end

struct FleetTests {
  @Test func `values of the module can be used in effects`() async {
    let model = ViewModel(Fleet())
    await model.send(.load("Gull,Tern")).finish()
    #expect(model.boats.map(\.name) == ["Gull", "Tern"])
  }
}
