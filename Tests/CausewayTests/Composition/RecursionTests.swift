import Causeway
import TestSupport
import Testing

/// A feature that contains itself, once for each row.
struct Node: Interactor {
  nonisolated struct State: Identifiable, Equatable, Sendable {
    var id = 0
    var count = 0
    var nodes = IdentifiedArray<Int, State>()

    static func tree(depth: Int, id: Int = 0) -> State {
      var state = State(id: id)
      if depth > 0 {
        for child in 0..<2 {
          state.nodes.updateOrAppend(tree(depth: depth - 1, id: child))
        }
      }
      return state
    }

    /// The node at the end of a path of ids.
    func node(_ path: ArraySlice<Int>) -> State? {
      guard let first = path.first else { return self }
      return nodes[id: first]?.node(path.dropFirst())
    }
  }

  indirect enum Action: Sendable {
    case node(Int, Action)
    case run(@MainActor @Sendable (inout State) -> Emission<State, Action>)

    var node: (Int, Action)? {
      if case .node(let id, let action) = self { (id, action) } else { nil }
    }

    static func at(_ path: [Int], _ action: Action) -> Action {
      path.reversed().reduce(action) { .node($1, $0) }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      if case .run(let body) = action { return body(&state) }
      return .state
    }
    .forEach(\.nodes, action: \.node, embed: Action.node) { Node() }
  }
}

@MainActor
struct RecursionTests {
  private let path = [1, 0, 1, 1]

  @Test func `a feature can contain itself`() async {
    let model = ViewModel(Node(), initialState: .tree(depth: 4))
    await model.send(
      .at(
        path,
        .run { state in
          state.count += 1
          return .perform { send in
            await send { $0.count += 10 }
            await send(
              .run { state in
                state.count += 100
                return .state
              })
          }
        })
    ).finish()
    #expect(model.viewState.node(path[...])?.count == 111)
    #expect(model.viewState.node(path.dropLast())?.count == 0)
    #expect(model.count == 0)
  }

  @Test(arguments: 0..<4)
  func `effects deep in the tree end when any of their ancestors is removed`(depth: Int) async {
    let model = ViewModel(Node(), initialState: .tree(depth: 4))
    let life = Life()
    let other = Life()
    model.send(.at(path, .run { _ in life.effect(.latest, "x") { $0.count += 1 } }))
    let otherTask = model.send(
      .at([0, 0, 1, 1], .run { _ in other.effect(.latest, "x") { $0.count += 1 } }))
    await life.isStarted.wait()
    #expect(model.runningEffects.count == 2)
    let (parent, row) = (Array(path[..<depth]), path[depth])
    model.send(
      .at(
        parent,
        .run { state in
          state.nodes.remove(id: row)
          return .state
        }))
    #expect(model.runningEffects.count == 1)
    await life.isEnded.waitUncancellably()
    other.gate.open()
    await otherTask.finish()
    #expect(model.viewState.node([0, 0, 1, 1])?.count == 1)
  }

  @Test func `an action for a missing row deep in the tree is reported`() {
    let errors = Log<String>()
    let model = ViewModel(
      Node(), initialState: .tree(depth: 2), onError: { errors.append($0.description) })
    model.send(.at([1, 7], .run { _ in .state }))
    #expect(errors.all.count == 1)
    #expect(errors.all.first?.contains("a missing row") == true)
  }
}
