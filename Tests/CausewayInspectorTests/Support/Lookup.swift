import Causeway
import CausewayInspector
import TestSupport

/// A search whose later answer wins, even if that answer belongs to an earlier question.
struct Lookup: Interactor {
  struct State: Equatable, Sendable {
    var query = ""
    var rows: [String] = []
  }

  enum Action: Sendable {
    case look(String)
    case clear
  }

  /// Whether a new question replaces the earlier one.
  var isCareful = false
  var find: @Sendable (String) async -> Void = { _ in }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { [isCareful, find] state, action in
      switch action {
      case .look(let query):
        state.query = query
        return .perform(isCareful ? .latest : .parallel, id: "look") { send in
          await find(query)
          await send { $0.rows = [query] }
        }
      case .clear:
        state.rows = []
        return .cancel("look")
      }
    }
  }

  /// Asks for "a" and "ab", and gets both answers in this order.
  @MainActor static func session(
    isCareful: Bool, watchedBy inspector: Inspector
  ) async -> ViewModel<State, Action> {
    let (first, second) = (Gate(), Gate())
    let lookup = Lookup(
      isCareful: isCareful, find: { query in await (query == "a" ? first : second).wait() })
    let model = ViewModel(
      lookup,
      observer: .inspected(by: inspector) { state, observer in
        ViewModel(lookup, initialState: state, observer: observer)
      })
    let task = model.send(.look("a"))
    if isCareful {
      first.open()
      await task.finish()
    }
    let other = model.send(.look("ab"))
    if !isCareful {
      first.open()
      await task.finish()
    }
    second.open()
    await other.finish()
    return model
  }
}
