import Causeway
import CausewayTesting
import Testing

protocol FactSource: Sendable {
  func fact(_ number: Int) async throws -> String
}

// snippet
struct Facts: Interactor {
  struct State: Equatable, Sendable {
    var number = 0
    var fact: String?
  }

  enum Action: Sendable {
    case ask
  }

  let facts: any FactSource

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [facts] state, action in
      switch action {
      case .ask:
        return .perform(.latest) { [number = state.number] send in
          let fact = try await facts.fact(number)
          await send { $0.fact = fact }
        }
      }
    }
  }
}
// end

@MainActor struct FactsTests {
  struct Round: FactSource {
    func fact(_ number: Int) async throws -> String { "\(number) is round" }
  }

  @Test func `a fact arrives`() async {
    let model = TestModel(Facts(facts: Round()))
    await model.send(.ask)
    await model.expect { $0.fact = "0 is round" }
    await model.finish()
  }
}
