import Causeway
import TestSupport
import Testing

/// Children with different ids and equal hashes, which `Hashable` allows.
@MainActor
struct EqualHashTests {
  nonisolated struct Name: Hashable, Sendable {
    let text: String

    func hash(into hasher: inout Hasher) {}
  }

  nonisolated struct Card: Identifiable, Equatable, Sendable {
    let id: Name
    var numbers: [Int] = []
  }

  private struct Table: Interactor {
    struct State: Sendable {
      var card: Card? = Card(id: Name(text: "first"))
      var other = 0
    }

    enum Action: Sendable {
      case card(Gate)
      case replace(Name)
      case change

      var card: Gate? { if case .card(let gate) = self { gate } else { nil } }
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { state, action in
        switch action {
        case .card: break
        case .replace(let name): state.card = Card(id: name)
        case .change: state.other += 1
        }
        return .state
      }
      .ifLet(\.card, action: \.card, embed: Action.card) {
        Interact<Card, Gate>(initialValue: Card(id: Name(text: ""))) { _, gate in
          .perform { send in
            await gate.waitUncancellably()
            await send { $0.numbers.append(1) }
          }
        }
      }
    }
  }

  @Test func `an effect of a replaced child does not change its replacement`() async {
    let model = ViewModel(Table())
    let gate = Gate()
    let task = model.send(.card(gate))
    model.send(.replace(Name(text: "second")))
    #expect(model.runningEffects.isEmpty)
    gate.open()
    await task.finish()
    #expect(model.viewState.card?.numbers == [])
  }

  @Test func `an effect runs as long as its child exists`() async {
    let model = ViewModel(Table())
    let gate = Gate()
    let task = model.send(.card(gate))
    model.send(.change)
    model.send(.replace(Name(text: "first")))
    gate.open()
    await task.finish()
    #expect(model.viewState.card?.numbers == [1])
  }
}
