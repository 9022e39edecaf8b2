import Causeway
import CausewayTesting
import Testing

// snippet
struct Chat: Interactor {
  struct State: Equatable, Sendable {
    var items: [String] = []
    var isConnected = false
  }

  enum Action: Sendable {
    case listen
  }

  let socket: @Sendable () -> AsyncStream<String>

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [socket] state, action in
      switch action {
      case .listen:
        return .observe(socket()) { state, event in
          state.items.append(event)
          state.isConnected = true
        }
      }
    }
  }
}
// end

@MainActor struct ChatTests {
  @Test func `events arrive`() async {
    let model = TestModel(
      Chat(socket: {
        AsyncStream { continuation in
          continuation.yield("hello")
          continuation.finish()
        }
      }))
    await model.send(.listen)
    await model.expect {
      $0.items = ["hello"]
      $0.isConnected = true
    }
    await model.finish()
  }
}
