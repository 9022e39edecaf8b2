import Causeway
import TestSupport

/// A child with an id, whose actions define their own behaviour.
struct Leaf: Interactor {
  nonisolated struct State: Identifiable, Equatable, Sendable {
    var id = 0
    var numbers: [Int] = []
  }

  enum Action: Sendable {
    case add(Int)
    case run(@MainActor @Sendable (inout State) -> Emission<State, Action>)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .add(let number):
        state.numbers.append(number)
        return .state
      case .run(let body):
        return body(&state)
      }
    }
  }
}

/// A child with its own rows.
struct Sheet: Interactor {
  nonisolated struct State: Equatable, Sendable {
    var rows = IdentifiedArray(uniqueElements: [Leaf.State(id: 1), Leaf.State(id: 2)])
    var card: Leaf.State? = Leaf.State(id: 7)
  }

  enum Action: Sendable {
    case row(Int, Leaf.Action)
    case card(Leaf.Action)
    case run(@MainActor @Sendable (inout State) -> Emission<State, Action>)

    var row: (Int, Leaf.Action)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }
    var card: Leaf.Action? { if case .card(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      if case .run(let body) = action { return body(&state) }
      return .state
    }
    .forEach(\.rows, action: \.row, embed: Action.row) { Leaf() }
    .ifLet(\.card, action: \.card, embed: Action.card) { Leaf() }
  }
}

/// A child whose state is an enum.
struct Loading: Interactor {
  nonisolated enum State: Equatable, Sendable {
    case loading
    case loaded(Leaf.State)
    case failed(Leaf.State)

    var loaded: Leaf.State? { if case .loaded(let state) = self { state } else { nil } }
    var failed: Leaf.State? { if case .failed(let state) = self { state } else { nil } }
  }

  enum Action: Sendable {
    case loaded(Leaf.Action)
    case failed(Leaf.Action)
    case become(State)

    var loaded: Leaf.Action? { if case .loaded(let action) = self { action } else { nil } }
    var failed: Leaf.Action? { if case .failed(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: .loading) { state, action in
      if case .become(let new) = action { state = new }
      return .state
    }
    .ifCase(\.loaded, embed: State.loaded, action: \.loaded, embed: Action.loaded) { Leaf() }
    .ifCase(\.failed, embed: State.failed, action: \.failed, embed: Action.failed) { Leaf() }
  }
}

/// A parent with every kind of child.
struct Tree: Interactor {
  nonisolated struct State: Equatable, Sendable {
    var left = Script.State()
    var right = Script.State()
    var pane: Script.State? = Script.State()
    var card: Leaf.State? = Leaf.State(id: 1)
    var rows = IdentifiedArray(uniqueElements: (0..<4).map { Leaf.State(id: $0) })
    var sheet: Sheet.State? = Sheet.State()
    var loading = Loading.State.loaded(Leaf.State())
    /// The actions that the parent itself handled.
    var seen = 0
    var log: [String] = []
  }

  enum Action: Sendable {
    case left(Script.Action)
    case right(Script.Action)
    case pane(Script.Action)
    case card(Leaf.Action)
    case row(Int, Leaf.Action)
    case sheet(Sheet.Action)
    case loading(Loading.Action)
    case run(@MainActor @Sendable (inout State) -> Emission<State, Action>)

    var left: Script.Action? { if case .left(let action) = self { action } else { nil } }
    var right: Script.Action? { if case .right(let action) = self { action } else { nil } }
    var pane: Script.Action? { if case .pane(let action) = self { action } else { nil } }
    var card: Leaf.Action? { if case .card(let action) = self { action } else { nil } }
    var row: (Int, Leaf.Action)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }
    var sheet: Sheet.Action? { if case .sheet(let action) = self { action } else { nil } }
    var loading: Loading.Action? { if case .loading(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      state.seen += 1
      if case .run(let body) = action { return body(&state) }
      return .state
    }
    .scope(state: \.left, action: \.left, embed: Action.left) { Script() }
    .scope(state: \.right, action: \.right, embed: Action.right) { Script() }
    .ifLet(\.pane, action: \.pane, embed: Action.pane) { Script() }
    .ifLet(\.card, action: \.card, embed: Action.card) { Leaf() }
    .forEach(\.rows, action: \.row, embed: Action.row) { Leaf() }
    .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { Sheet() }
    .scope(state: \.loading, action: \.loading, embed: Action.loading) { Loading() }
  }
}

typealias TreeModel = ViewModel<Tree.State, Tree.Action>

extension ViewModel where Action == Tree.Action {
  /// Handles a closure as an action of the root.
  @MainActor
  @discardableResult
  func change(_ body: @escaping @MainActor @Sendable (inout Tree.State) -> Void) -> ActionTask {
    send(
      .run { state in
        body(&state)
        return .state
      })
  }
}

/// A place in the tree where an effect can run.
nonisolated enum Place: CaseIterable, Sendable {
  case scope, pane, card, row, sheetRow, sheetCard, enumCase

  typealias LeafBody = @MainActor @Sendable (inout Leaf.State) -> Emission<Leaf.State, Leaf.Action>
  typealias ScriptBody =
    @MainActor @Sendable (inout Script.State) -> Emission<Script.State, Script.Action>

  /// An action for the child at this place that starts an effect, which waits and then adds a
  /// number.
  @MainActor
  func starting(
    _ life: Life, _ policy: EffectPolicy = .parallel, id: EffectID? = nil
  ) -> Tree.Action {
    let leaf: LeafBody = { _ in
      life.effect(policy, id) { $0.numbers.append(1) }
    }
    let script: ScriptBody = { _ in
      life.effect(policy, id) { $0.numbers.append(1) }
    }
    return switch self {
    case .scope: .left(.run(script))
    case .pane: .pane(.run(script))
    case .card: .card(.run(leaf))
    case .row: .row(2, .run(leaf))
    case .sheetRow: .sheet(.row(2, .run(leaf)))
    case .sheetCard: .sheet(.card(.run(leaf)))
    case .enumCase: .loading(.loaded(.run(leaf)))
    }
  }

  /// The numbers collected by the child at this place, or `nil` when it was removed.
  func numbers(_ state: Tree.State) -> [Int]? {
    switch self {
    case .scope: state.left.numbers
    case .pane: state.pane?.numbers
    case .card: state.card?.numbers
    case .row: state.rows[id: 2]?.numbers
    case .sheetRow: state.sheet?.rows[id: 2]?.numbers
    case .sheetCard: state.sheet?.card?.numbers
    case .enumCase: state.loading.loaded?.numbers
    }
  }

  /// Adding a number through the child's handler.
  func adding(_ number: Int) -> Tree.Action {
    switch self {
    case .scope: .left(.add(number))
    case .pane: .pane(.add(number))
    case .card: .card(.add(number))
    case .row: .row(2, .add(number))
    case .sheetRow: .sheet(.row(2, .add(number)))
    case .sheetCard: .sheet(.card(.add(number)))
    case .enumCase: .loading(.loaded(.add(number)))
    }
  }
}

/// The course of an effect that the test controls.
struct Life: Sendable {
  let isStarted = Gate()
  let gate = Gate()
  let isEnded = Gate()

  @MainActor
  func effect<State, Action>(
    _ policy: EffectPolicy = .parallel, _ id: EffectID? = nil,
    _ change: @escaping @MainActor @Sendable (inout State) -> Void
  ) -> Emission<State, Action> {
    .perform(policy, id: id) { send in
      isStarted.open()
      await gate.wait()
      await send(nil, change)
      isEnded.open()
    }
  }
}
