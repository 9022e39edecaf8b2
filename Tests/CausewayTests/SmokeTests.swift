import Causeway
import Testing

struct Counter: Interactor {
  struct State: Sendable, Equatable { var count = 0; var name = "" }
  enum Action: Sendable { case increment, load }
  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .increment:
        state.count += 1
        return .state
      case .load:
        return .perform { send in
          await send { $0.name = "loaded" }
          await send(.increment)
        } catch: { state, error in state.name = "\(error)" }
      }
    }
  }
}

@MainActor struct SmokeTests {
  @Test func `it works`() async {
    let model = ViewModel(Counter())
    model.send(.increment)
    #expect(model.count == 1)
    await model.send(.load).finish()
    #expect(model.name == "loaded")
    #expect(model.count == 2)
  }
}
