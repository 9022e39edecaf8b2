import Causeway
import TestSupport
import Testing

@MainActor
struct OnChangeTests {
  /// Records each new text in its own state and in its child's state.
  struct Watching: Interactor {
    nonisolated struct State: Equatable, Sendable {
      var text = ""
      var child = Script.State()
      var notes: [String] = []
    }

    enum Action: Sendable {
      case child(Script.Action)
      case note(String)
      case run(@MainActor @Sendable (inout State) -> Emission<State, Action>)

      var child: Script.Action? { if case .child(let action) = self { action } else { nil } }
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { state, action in
        switch action {
        case .child: return .state
        case .note(let note):
          state.notes.append(note)
          return .state
        case .run(let body): return body(&state)
        }
      }
      .scope(state: \.child, action: \.child, embed: Action.child) {
        Script().onChange(of: \.numbers) { state, numbers in
          state.other = numbers.count
          return .action(
            .run { state in
              state.text = "\(state.other)"
              return .state
            })
        }
      }
      .onChange(of: \.text) { state, text in
        state.notes.append("text \(text)")
        return .perform { send in await send(.note("effect of \(text)")) }
      }
      .onChange(of: \.child.text) { state, text in
        state.notes.append("child \(text)")
        return .state
      }
    }
  }

  private let model = ViewModel(Watching())

  private func run(
    _ body:
      @escaping @MainActor @Sendable (inout Watching.State) -> Emission<
        Watching.State, Watching.Action
      >
  ) async {
    await model.send(.run(body)).finish()
  }

  @Test func `a change by an action is observed, and its effect runs`() async {
    await run { state in
      state.text = "a"
      return .state
    }
    #expect(model.notes == ["text a", "effect of a"])
  }

  @Test func `an action that changes nothing is not observed`() async {
    await run { state in
      state.text = ""
      state.child.other = 3
      return .state
    }
    #expect(model.notes == [])
  }

  @Test func `a change by an effect's update is observed once`() async {
    await run { _ in
      .perform { send in
        await send { $0.text = "b" }
        await send { $0.text = "b" }
      }
    }
    #expect(model.notes.sorted() == ["effect of b", "text b"])
  }

  @Test func `replacing the whole state is observed as a change`() async {
    await run { _ in .perform { send in await send(replacing: Watching.State(text: "c")) } }
    #expect(model.notes == ["text c", "effect of c"])
  }

  @Test func `a change by an error's update is observed`() async {
    struct Problem: Error {}
    await run { _ in
      .perform { _ in
        throw Problem()
      } catch: { state, _ in
        state.text = "d"
      }
    }
    #expect(model.notes == ["text d", "effect of d"])
  }

  @Test func `each element of a sequence is observed as a change`() async {
    let stream = AsyncStream<String> { continuation in
      for text in ["e", "e", "f"] { continuation.yield(text) }
      continuation.finish()
    }
    await run { _ in .observe(stream) { state, text in state.text = text } }
    #expect(model.notes.filter { $0.hasPrefix("text") } == ["text e", "text f"])
  }

  @Test func `a child's own onChange observes its actions, and its emission reaches the child`()
    async
  {
    await model.send(.child(.add(1))).finish()
    #expect(model.child == Script.State(numbers: [1], text: "1", other: 1))
    #expect(model.notes == ["child 1"])
  }

  @Test func `a child's own onChange observes updates by the child's effects`() async {
    await model.send(
      .child(.run { _ in .perform { send in await send { $0.numbers = [1, 2] } } })
    ).finish()
    #expect(model.child == Script.State(numbers: [1, 2], text: "2", other: 2))
    #expect(model.notes == ["child 2"])
  }

  @Test func `the parent of rows observes updates by their effects`() async {
    struct Rows: Interactor {
      nonisolated struct State: Sendable {
        var rows = IdentifiedArray(uniqueElements: [Leaf.State(id: 0), Leaf.State(id: 1)])
        var sums: [Int] = []
        var sum: Int { rows.reduce(0) { $0 + $1.numbers.reduce(0, +) } }
      }
      struct Action: Sendable {
        let row: Int
        let action: Leaf.Action
      }
      var body: some InteractorOf<Self> {
        Interact<State, Action>(initialValue: State()) { _, _ in .state }
          .forEach(
            \.rows, action: { ($0.row, $0.action) }, embed: { Action(row: $0, action: $1) }
          ) {
            Leaf()
          }
          .onChange(of: \.sum) { state, sum in
            state.sums.append(sum)
            return .state
          }
      }
    }
    let model = ViewModel(Rows())
    model.send(Rows.Action(row: 0, action: .add(1)))
    await model.send(
      Rows.Action(
        row: 1, action: .run { _ in .perform { send in await send { $0.numbers = [4, 5] } } })
    ).finish()
    #expect(model.sums == [1, 10])
  }

  /// Reacts twice to the same change.
  struct Twice: Interactor {
    nonisolated struct State: Equatable, Sendable {
      var text = ""
      var notes: [String] = []
    }

    enum Action: Sendable {
      case start
      case note(String)
    }

    var body: some InteractorOf<Self> {
      Interact<State, Action>(initialValue: State()) { state, action in
        switch action {
        case .start: return .perform { send in await send { $0.text = "a" } }
        case .note(let note):
          state.notes.append(note)
          return .state
        }
      }
      .onChange(of: \.text) { _, text in .action(.note("first \(text)")) }
      .onChange(of: \.text) { _, text in .action(.note("second \(text)")) }
    }
  }

  @Test func `two observers of one effect's update both emit their effects`() async {
    let model = ViewModel(Twice())
    await model.send(.start).finish()
    #expect(model.notes == ["first a", "second a"])
  }
}
