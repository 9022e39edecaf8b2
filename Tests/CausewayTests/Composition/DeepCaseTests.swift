import Causeway
import TestSupport
import Testing

/// A feature that contains itself in a case, hundreds of levels deep.
@MainActor
struct DeepCaseTests {
  indirect enum State: Sendable {
    case level(Int, State)
    case end(Int)

    var inner: State? { if case .level(_, let inner) = self { inner } else { nil } }

    nonisolated static func tree(_ depth: Int) -> State {
      (0..<depth).reduce(.end(0)) { .level($1, $0) }
    }

    var end: Int {
      switch self {
      case .level(_, let inner): inner.end
      case .end(let number): number
      }
    }
  }

  indirect enum Action: Sendable {
    case inner(Action)
    case count
    case wait
    case cut

    var inner: Action? { if case .inner(let action) = self { action } else { nil } }

    nonisolated static func at(_ depth: Int, _ action: Action) -> Action {
      (0..<depth).reduce(action) { inner, _ in .inner(inner) }
    }
  }

  struct Level: Interactor {
    let looks: Log<Int>

    var body: some Interactor<State, Action> {
      Interact<State, Action>(initialValue: .end(0)) { state, action in
        switch action {
        case .inner: break
        case .count:
          return .perform { send in
            await send { if case .end(let number) = $0 { $0 = .end(number + 1) } }
          }
        case .wait: return .perform { _ in await Gate().wait() }
        case .cut: state = .end(0)
        }
        return .state
      }
      .ifCase(
        { [looks] state in
          looks.append(1)
          return state.inner
        }, embed: { .level(0, $0) }, action: \.inner, embed: Action.inner
      ) { Level(looks: looks) }
    }
  }

  /// The number of states that the runtime looks at for an effect at a depth.
  private func looks(_ depth: Int, _ prepare: (ViewModel<State, Action>) -> Void) async -> Int {
    let looks = Log<Int>()
    let model = ViewModel(Level(looks: looks), initialState: .tree(depth))
    prepare(model)
    let before = looks.all.count
    await model.send(.at(depth, .count)).finish()
    #expect(model.viewState.end == 1)
    return looks.all.count - before
  }

  @Test func `the time of an effect grows linearly with the depth of its child`() async {
    let few = await looks(20) { _ in }
    let many = await looks(200) { _ in }
    #expect(many < 11 * few)
  }

  @Test func `the time grows linearly also with effects at all depths, in any order`() async {
    for isReversed in [false, true] {
      func prepare(_ depth: Int) -> (ViewModel<State, Action>) -> Void {
        { model in
          let depths = Array(1..<depth)
          for depth in isReversed ? depths.reversed() : depths { model.send(.at(depth, .wait)) }
        }
      }
      let few = await looks(10, prepare(10))
      let many = await looks(100, prepare(100))
      #expect(many < 12 * few)
    }
  }

  @Test func `only the effects below a removed level end`() {
    let model = ViewModel(Level(looks: Log()), initialState: .tree(40))
    for depth in 1...40 { model.send(.at(depth, .wait)) }
    #expect(model.runningEffects.count == 40)
    model.send(.at(10, .cut))
    #expect(model.runningEffects.count == 10)
    model.send(.cut)
    #expect(model.runningEffects.isEmpty)
  }
}
