import Causeway
import CausewayInspector
import TestSupport

/// Effects in a sequence, in updates and with errors; each waits for the gate with its name.
struct Course: Interactor {
  struct State: Equatable, Sendable {
    var log: [String] = []
    var isReady = false
  }

  enum Action: Sendable {
    case load([String])
    /// Loads the first, writes a note, and loads the second.
    case chain(String, String)
    /// Fails in a sequence, and nothing catches the error.
    case fail(String)
    /// Fails, and the update of the error starts another effect by an action.
    case retry(String, String)
    case note(String)
    case prepare(String)
    case spin(String)
    /// Feeds itself back until `prepare` has ended.
    case repeatUntilReady
  }

  struct Failure: Error {}

  let gates: [String: Gate]

  init(_ names: String...) {
    gates = Dictionary(uniqueKeysWithValues: names.map { ($0, Gate()) })
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [self] state, action in
      switch action {
      case .load(let names):
        return .merge(names.map(load))
      case .chain(let first, let second):
        return .sequence(load(first), .action(.note("note")), load(second))
      case .fail(let name):
        return .sequence(
          .perform(id: name) { _ in
            await pass(name)
            throw Failure()
          }, .action(.note("never")))
      case .retry(let first, let second):
        return .perform(id: first) { _ in
          await pass(first)
          throw Failure()
        } catch: { state, _ in
          state.log.append("error")
          return .action(.load([second]))
        }
      case .note(let text):
        state.log.append(text)
      case .prepare(let name):
        return .perform(id: name) { send in
          await pass(name)
          await send { $0.isReady = true }
        }
      case .spin(let name):
        return .perform(id: name) { send in
          await pass(name)
          await send(.repeatUntilReady)
        }
      case .repeatUntilReady:
        return state.isReady ? .state : .action(.repeatUntilReady)
      }
      return .state
    }
  }

  private func pass(_ name: String) async { await gates[name]?.wait() }

  private func load(_ name: String) -> Emission<State, Action> {
    .perform(id: name) { send in
      await pass(name)
      await send { $0.log.append(name) }
    }
  }

  @MainActor func model(watchedBy inspector: Inspector) -> ViewModel<State, Action> {
    ViewModel(
      self,
      observer: .inspected(by: inspector) { state, observer in
        ViewModel(self, initialState: state, observer: observer)
      }, onError: { _ in })
  }
}
