import Causeway
import TestSupport
import Testing

/// A feature that saves the drafts of its children when they go.
private struct Desk: Interactor {
  struct State: Equatable, Sendable {
    var sheet: Draft.State?
    var stage = Stage.reading
    var destination: Stage?
    var rows: IdentifiedArray<Int, Draft.State> = []
    var path: ScreenPath<Draft.State> = []
    var saved: [String] = []
  }

  enum Stage: Equatable, Sendable {
    case reading
    case writing(Draft.State)

    var writing: Draft.State? { if case .writing(let draft) = self { draft } else { nil } }
  }

  enum Action: Sendable {
    case change(@MainActor @Sendable (inout State) -> Void)
    case later(@MainActor @Sendable (inout State) -> Void)
    case sheet(Draft.Action)
    case destination(Draft.Action)
    case row(Int, Draft.Action)
    case path(PathAction<Draft.State, Draft.Action>)

    var sheet: Draft.Action? { if case .sheet(let action) = self { action } else { nil } }
    var destination: Draft.Action? {
      if case .destination(let action) = self { action } else { nil }
    }
    var row: (Int, Draft.Action)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }
    var path: PathAction<Draft.State, Draft.Action>? {
      if case .path(let action) = self { action } else { nil }
    }
  }

  let store: Log<String>

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      switch action {
      case .change(let change):
        change(&state)
      case .later(let change):
        return .perform { send in await send { change(&$0) } }
      case .sheet(.finish): state.sheet = nil
      case .destination(.finish): state.destination = nil
      case .row(let id, .finish): state.rows.remove(id: id)
      case .path(.screen(let id, .finish)): state.path[id: id] = nil
      case .sheet, .destination, .row, .path: break
      }
      return .state
    }
    .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) {
      Draft()
    } onRemoval: { state, draft in
      save("sheet", draft, &state)
    }
    .ifCase(
      \.writing, of: \.destination, embed: Stage.writing, action: \.destination,
      embed: Action.destination
    ) {
      Draft()
    } onRemoval: { state, draft in
      save("destination", draft, &state)
    }
    .forEach(\.rows, action: \.row, embed: Action.row) {
      Draft()
    } onRemoval: { state, draft in
      if draft.text == "with next" { state.rows.remove(id: draft.id + 1) }
      return save("row", draft, &state)
    }
    .screens(\.path, action: \.path, embed: Action.path) {
      Draft()
    } onRemoval: { state, draft in
      save("screen", draft, &state)
    }
  }

  private func save(
    _ place: String, _ draft: Draft.State, _ state: inout State
  ) -> Emission<State, Action> {
    let text = "\(place) \(draft.id) \(draft.text)"
    state.saved.append(text)
    return .perform { [store] _ in store.append(text) }
  }
}

private struct Draft: Interactor {
  struct State: Identifiable, Equatable, Sendable {
    var id = 0
    var text = ""
    var letters: [Character] = []
  }

  enum Action: Sendable {
    case write(String)
    case finish
    case dismiss
  }

  var body: some InteractorOf<Self> {
    Interact { state, action in
      switch action {
      case .write(let text):
        state.text = text
        state.letters += text
      case .finish: state.text += "."
      case .dismiss:
        return .perform { send in
          await send { $0.text = "dismissed" }
          await send.dismiss()
        }
      }
      return .state
    }
  }
}

@MainActor
struct RemovalTests {
  private let store = Log<String>()

  private func makeModel(
    _ change: @escaping @MainActor @Sendable (inout Desk.State) -> Void
  ) -> ViewModel<Desk.State, Desk.Action> {
    let model = ViewModel(Desk(store: store))
    model.send(.change(change))
    return model
  }

  @Test(arguments: [false, true])
  func `a removed sheet is passed on with its last state`(byEffect: Bool) async {
    let model = makeModel { $0.sheet = Draft.State(id: 1) }
    model.send(.sheet(.write("Ada")))
    #expect(model.saved == [])
    await model.send(byEffect ? .later { $0.sheet = nil } : .change { $0.sheet = nil }).finish()
    #expect(model.saved == ["sheet 1 Ada"])
    #expect(store.all == ["sheet 1 Ada"])
    await model.send(.change { $0.sheet = nil }).finish()
    #expect(model.saved.count == 1)
  }

  @Test func `the last state has the changes of the action that closes the child`() async {
    let model = makeModel {
      $0.sheet = Draft.State(id: 1, text: "Ada")
      $0.destination = .writing(Draft.State(id: 2, text: "Bea"))
      $0.rows.append(Draft.State(id: 3, text: "Cleo"))
      $0.path.push(Draft.State(id: 4, text: "Dora"))
    }
    await model.send(.sheet(.finish)).finish()
    await model.send(.destination(.finish)).finish()
    await model.send(.row(3, .finish)).finish()
    await model.send(.path(.screen(ScreenID(4), .finish))).finish()
    #expect(model.saved == ["sheet 1 Ada.", "destination 2 Bea.", "row 3 Cleo.", "screen 4 Dora."])
    #expect(store.all == model.saved)
  }

  @Test func `a child that dismisses itself is passed on`() async {
    let model = makeModel {
      $0.sheet = Draft.State(id: 1)
      $0.destination = .writing(Draft.State(id: 2))
      $0.rows.append(Draft.State(id: 3))
      $0.path.push(Draft.State(id: 4))
    }
    await model.send(.sheet(.dismiss)).finish()
    await model.send(.destination(.dismiss)).finish()
    await model.send(.row(3, .dismiss)).finish()
    await model.send(.path(.screen(ScreenID(4), .dismiss))).finish()
    #expect(
      model.saved == [
        "sheet 1 dismissed", "destination 2 dismissed", "row 3 dismissed", "screen 4 dismissed",
      ])
    await store.wait(for: 4)
    #expect(store.all.sorted() == model.saved.sorted())
  }

  @Test func `a child that is replaced by one with another id is passed on`() async {
    let model = makeModel {
      $0.sheet = Draft.State(id: 1)
      $0.destination = .writing(Draft.State(id: 2))
    }
    model.send(.change { $0.sheet = Draft.State(id: 1, text: "same") })
    #expect(model.saved == [])
    await model.send(.change { $0.sheet = Draft.State(id: 5) }).finish()
    await model.send(.change { $0.destination = .reading }).finish()
    #expect(model.saved == ["sheet 1 same", "destination 2 "])
  }

  @Test func `each removed row is passed on, but not a moved one`() async {
    let model = makeModel {
      for id in 1...5 { $0.rows.append(Draft.State(id: id)) }
    }
    model.send(.change { $0.rows.move(fromOffsets: [0], toOffset: 5) })
    model.send(.change { $0.rows.updateOrAppend(Draft.State(id: 6)) })
    #expect(model.saved == [])
    model.send(.change { state in state.rows.removeAll { $0.id < 3 } })
    #expect(model.saved.sorted() == ["row 1 ", "row 2 "])
    model.send(.change { $0.rows = IdentifiedArray(uniqueElements: [Draft.State(id: 4)]) })
    #expect(model.saved.count == 5)
  }

  @Test func `a handler of a removal may remove further rows`() async {
    let model = makeModel {
      for id in 1...4 { $0.rows.append(Draft.State(id: id, text: id < 3 ? "with next" : "")) }
    }
    model.send(.change { $0.rows.remove(id: 1) })
    #expect(model.saved == ["row 1 with next", "row 2 with next", "row 3 "])
    #expect(model.rows.ids == [4])
  }

  @Test func `screens are passed on from top to bottom`() async {
    let model = makeModel {
      $0.path = [Draft.State(id: 1), Draft.State(id: 2), Draft.State(id: 3)]
    }
    model.send(.path(.pop))
    #expect(model.saved == ["screen 3 "])
    model.send(.path(.popTo(nil)))
    #expect(model.saved == ["screen 3 ", "screen 2 ", "screen 1 "])
  }

  @Test func `a screen that is popped and pushed again in one step is passed on`() async {
    let model = makeModel { $0.path = [Draft.State(id: 1, text: "old")] }
    model.send(
      .change {
        $0.path.pop()
        $0.path.push(Draft.State(id: 1, text: "new"))
      })
    #expect(model.saved == ["screen 1 old"])
  }

  @Test func `a child of an enum state is passed on when the case changes`() {
    struct Staged: Interactor {
      let left: Log<String>
      var body: some Interactor<Desk.Stage, Desk.Stage> {
        Interact<Desk.Stage, Desk.Stage>(initialValue: .writing(Draft.State(text: "Ada"))) {
          state, stage in
          state = stage
          return .state
        }
        .ifCase(
          \.writing, embed: Desk.Stage.writing, action: { (_: Desk.Stage) in Draft.Action?.none },
          embed: { (_: Draft.Action) in Desk.Stage.reading }
        ) {
          Draft()
        } onRemoval: { _, draft in
          left.append(draft.text)
          return .state
        }
      }
    }
    let left = Log<String>()
    let model = ViewModel(Staged(left: left))
    model.send(.reading)
    model.send(.reading)
    #expect(left.all == ["Ada"])
  }

  @Test func `a change of a child copies no array of it`() {
    let model = makeModel {
      var letters = Array(repeating: Character("a"), count: 1_000)
      // Without this, the array can have room for exactly one more element, and move at the second.
      letters.reserveCapacity(2_000)
      $0.sheet = Draft.State(letters: letters)
    }
    model.send(.sheet(.write("b")))
    let place = model.viewState.sheet?.letters.withUnsafeBufferPointer(\.baseAddress)
    model.send(.sheet(.write("c")))
    #expect(model.viewState.sheet?.letters.withUnsafeBufferPointer(\.baseAddress) == place)
  }
}
