import Causeway
import TestSupport
import Testing

@MainActor
struct BodyTests {
  /// Three interactors that record their order, each with an effect.
  struct Three: Interactor {
    var body: some Interactor<[String], String> {
      part("a")
      part("b")
      part("c").onChange(of: \.count) { state, count in
        if count < 100 { state.append("count \(count)") }
        return .state
      }
    }

    private func part(_ name: String) -> Interact<[String], String> {
      Interact(initialValue: [name]) { state, action in
        state.append(name + action)
        return action == "!" ? .perform { send in await send { $0.append(name) } } : .state
      }
    }
  }

  @Test func `the first interactor's initial value is used`() {
    #expect(ViewModel(Three()).viewState == ["a"])
  }

  @Test func `all interactors receive an action in order`() {
    let model = ViewModel(Three())
    model.send("1")
    #expect(model.viewState == ["a", "a1", "b1", "c1", "count 4"])
  }

  @Test func `the emissions of all interactors merge`() async {
    let model = ViewModel(Three())
    await model.send("!").finish()
    let effects = model.viewState.filter { ["a", "b", "c"].contains($0) }
    #expect(effects.sorted() == ["a", "a", "b", "c"])
  }

  @Test func `a view model builds its body once`() {
    struct Counting: Interactor {
      let builds: Log<Int>
      var body: some Interactor<Int, Int> {
        builds.append(1)
        return Interact(initialValue: 0) { state, action in
          state += action
          return .state
        }
      }
    }
    let builds = Log<Int>()
    let model = ViewModel(Counting(builds: builds))
    for _ in 0..<10 { model.send(1) }
    #expect(builds.all.count == 1)
    #expect(model.viewState == 10)
  }

  @Test func `a computed property can be a child's state`() async {
    struct Halves: Interactor {
      nonisolated struct State: Sendable {
        var number = 10
        var half: Int {
          get { number / 2 }
          set { number = newValue * 2 }
        }
      }
      var body: some Interactor<State, Int> {
        Interact<State, Int>(initialValue: State()) { _, _ in .state }
          .scope(state: \.half, action: { $0 }, embed: { $0 }) {
            Interact<Int, Int>(initialValue: 0) { state, action in
              state += action
              return .perform { send in await send { $0 += 100 } }
            }
          }
      }
    }
    let model = ViewModel(Halves())
    await model.send(1).finish()
    #expect(model.number == 212)
  }

  /// Two children that handle the same actions.
  private struct Doubled: Interactor {
    struct State: Sendable {
      var first: [String] = []
      var second: [String] = []
    }

    var body: some Interactor<State, String> {
      Interact<State, String>(initialValue: State()) { _, _ in .state }
        .scope(state: \.first, action: { $0 }, embed: { $0 }) { Self.child }
        .scope(state: \.second, action: { $0 }, embed: { $0 }) { Self.child }
    }

    private static var child: Interact<[String], String> {
      Interact(initialValue: []) { state, action in
        state.append(action)
        return .state
      }
    }
  }

  @Test func `two children can handle the same action`() {
    let model = ViewModel(Doubled())
    model.send("a")
    #expect(model.first == ["a"])
    #expect(model.second == ["a"])
  }
}
