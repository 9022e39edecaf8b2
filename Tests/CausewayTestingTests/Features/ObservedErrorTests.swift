import Causeway
import CausewayTesting
import Testing

/// Errors of observed sequences for which `catch:` returns an emission.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ObservedErrorTests {
  struct Broken: Error {}

  struct Radio: Interactor {
    enum Kind: Equatable, Sendable { case updates, actions, work }

    struct State: Equatable, Sendable {
      var log: [String] = []
    }

    enum Action: Equatable, Sendable {
      case listen(Kind)
      case heard(Int)
      case failed
    }

    private var messages: AsyncThrowingStream<Int, any Error> {
      AsyncThrowingStream { continuation in
        continuation.yield(1)
        continuation.finish(throwing: Broken())
      }
    }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, action in
        switch action {
        case .listen(.updates):
          return .observe(messages) { state, number in
            state.log.append("\(number)")
          } catch: { state, _ in
            state.log.append("caught")
            return .action(.failed)
          }
        case .listen(.actions):
          return .observe(messages, send: Action.heard) { state, _ in
            state.log.append("caught")
            return .action(.failed)
          }
        case .listen(.work):
          return .observe { [messages] _, send in
            for try await number in messages { await send(.heard(number)) }
          } catch: { state, _ in
            state.log.append("caught")
            return .action(.failed)
          }
        case .heard(let number): state.log.append("\(number)")
        case .failed: state.log.append("failed")
        }
        return .state
      }
    }
  }

  @Test(arguments: [Radio.Kind.updates, .actions, .work])
  func `the catch of an observation can return an action`(kind: Radio.Kind) async {
    let model = TestModel(Radio())
    await model.send(.listen(kind))
    if kind == .updates {
      await model.expect { $0.log = ["1"] }
    } else {
      await model.receive(.heard(1)) { $0.log = ["1"] }
    }
    await model.expect { $0.log.append("caught") }
    await model.receive(.failed) { $0.log.append("failed") }
    await model.finish()
  }
}
