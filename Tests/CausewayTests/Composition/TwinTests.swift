import Causeway
import TestSupport
import Testing

@MainActor
struct TwinTests {
  struct Follower: Interactor {
    let streams: [AsyncStream<Int>]
    let number: Int

    var body: some Interactor<[Int], Int> {
      Interact(initialValue: []) { _, _ in
        .observe(streams[number]) { state, number in state.append(number) }
      }
    }
  }

  struct Twins: Interactor {
    let streams: [AsyncStream<Int>]

    var body: some Interactor<[Int], Int> {
      Follower(streams: streams, number: 0)
      Follower(streams: streams, number: 1)
    }
  }

  @Test func `two interactors of one type in a body do not cancel each other's effects`() async {
    let streams = (1...2).map { number in
      AsyncStream<Int> { continuation in
        continuation.yield(number)
        continuation.finish()
      }
    }
    let model = ViewModel(Twins(streams: streams))
    await model.send(0).finish()
    #expect(model.viewState.sorted() == [1, 2])
  }

  /// A child that looks up each new text, which was typed or was found by an effect.
  struct Search: Interactor {
    enum Action: Sendable {
      case type(String)
      case find(String, Gate)
    }

    var body: some Interactor<String, Action> {
      Interact<String, Action>(initialValue: "") { state, action in
        switch action {
        case .type(let text):
          state = text
          return .state
        case .find(let text, let isFound):
          return .perform(id: "find") { send in
            await send { $0 = text }
            isFound.open()
          }
        }
      }
      .onChange(of: \.self) { _, _ in .perform(.latest) { _ in await Gate().wait() } }
    }
  }

  /// The child in the first or the second of two interactors, one of which may observe changes.
  struct Screen: Interactor {
    nonisolated struct State: Equatable, Sendable {
      var search = ""
      var changes = 0
    }

    enum Action: Sendable {
      case search(Search.Action)

      var search: Search.Action? {
        switch self {
        case .search(let action): action
        }
      }
    }

    let isFirst: Bool
    let isWatched: Bool

    var body: some InteractorOf<Self> {
      let halves = isFirst ? [searching, watching] : [watching, searching]
      halves[0]
      halves[1]
    }

    private var searching: ResolvedInteractor<State, Action> {
      Interact<State, Action>(initialValue: State()) { _, _ in .state }
        .scope(state: \.search, action: \.search, embed: Action.search) { Search() }
    }

    private var watching: ResolvedInteractor<State, Action> {
      let plain = Interact<State, Action>(initialValue: State()) { _, _ in .state }
      return isWatched
        ? plain.onChange(of: \.search) { state, _ in
          state.changes += 1
          return .state
        } : plain.resolve()
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `in a child, a policy applies to effects of actions and to effects of updates`(
    isFirst: Bool, isWatched: Bool
  ) async {
    let model = ViewModel(Screen(isFirst: isFirst, isWatched: isWatched))
    model.send(.search(.type("a")))
    let isFound = Gate()
    model.send(.search(.find("b", isFound)))
    await isFound.wait()
    #expect(model.search == "b")
    #expect(model.runningEffects.filter { $0 != "find" }.count == 1)
    #expect(model.changes == (isWatched ? 1 : 0))
  }
}
