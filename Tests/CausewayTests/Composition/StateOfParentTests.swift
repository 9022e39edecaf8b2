import Causeway
import TestSupport
import Testing

/// A feature whose parent makes its state.
private struct Berth: Interactor {
  struct State: Identifiable, Equatable, Sendable {
    let id: Int
    var boat = ""
    var seen: [String] = []
  }

  enum Action: Sendable {
    case moor(String)
    case watch(Watch)
  }

  var body: some InteractorOf<Self> {
    Interact { state, action in
      switch action {
      case .moor(let boat):
        state.boat = boat
        return .state
      case .watch(let watch):
        return .observe { currentState, _ in
          watch.hasBegun.open()
          await watch.mayRead.waitUncancellably()
          watch.boats.append(await currentState.boat)
        }
      }
    }
  }
}

/// An effect that reads its state when the test allows it.
private struct Watch: Sendable {
  let hasBegun = Gate()
  let mayRead = Gate()
  let boats = Log<String>()
}

/// A screen that shows a berth.
private enum HarbourScreen: Identifiable, Equatable, Sendable {
  case berth(Berth.State)

  var id: Int { if case .berth(let berth) = self { berth.id } else { 0 } }
  var berth: Berth.State? { if case .berth(let berth) = self { berth } else { nil } }
}

private struct HarbourScreens: Interactor {
  typealias State = HarbourScreen
  enum Action: Sendable {
    case berth(Berth.Action)
    var berth: Berth.Action? { if case .berth(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>()
      .ifCase(\.berth, embed: State.berth, action: \.berth, embed: Action.berth) { Berth() }
  }
}

private struct Harbour: Interactor {
  struct State: Equatable, Sendable {
    var sheet: Berth.State?
    var rows: IdentifiedArray<Int, Berth.State> = []
    var path: ScreenPath<HarbourScreen> = []
  }

  enum Action: Sendable {
    case change(@MainActor @Sendable (inout State) -> Void)
    case sheet(Berth.Action)
    case row(Int, Berth.Action)
    case path(PathAction<HarbourScreen, HarbourScreens.Action>)

    var sheet: Berth.Action? { if case .sheet(let action) = self { action } else { nil } }
    var row: (Int, Berth.Action)? {
      if case .row(let id, let action) = self { (id, action) } else { nil }
    }
    var path: PathAction<HarbourScreen, HarbourScreens.Action>? {
      if case .path(let action) = self { action } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { state, action in
      if case .change(let change) = action { change(&state) }
      return .state
    }
    .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { Berth() }
    .forEach(\.rows, action: \.row, embed: Action.row) { Berth() }
    .screens(\.path, action: \.path, embed: Action.path) { HarbourScreens() }
  }
}

@MainActor
struct StateOfParentTests {
  @Test func `a sheet, a row and a screen need no initial value`() {
    let model = ViewModel(Harbour())
    model.send(
      .change { state in
        state.sheet = Berth.State(id: 1)
        state.rows = IdentifiedArray(uniqueElements: [Berth.State(id: 2)])
        state.path = [.berth(Berth.State(id: 3))]
      })
    model.send(.sheet(.moor("Ada")))
    model.send(.row(2, .moor("Bea")))
    model.send(.path(.screen(ScreenID(3), .berth(.moor("Cleo")))))
    #expect(model.sheet?.boat == "Ada")
    #expect(model.rows[id: 2]?.boat == "Bea")
    #expect(model.path.last?.berth?.boat == "Cleo")
  }

  @Test func `the caller gives the state of a feature without an initial value`() async {
    let state = Berth.State(id: 1, boat: "Ada")
    #expect(ViewModel(Berth(), initialState: state).boat == "Ada")
    let derived = ViewModel(
      Berth(), reducer: { state in state.boat }, initialState: state)
    #expect(derived.viewState == "Ada")
    let (actions, continuation) = AsyncStream.makeStream(of: Berth.Action.self)
    continuation.yield(.moor("Bea"))
    continuation.finish()
    var boats: [String] = []
    for await state in Berth().interact(actions, initialState: state) { boats.append(state.boat) }
    #expect(boats == ["Ada", "Bea"])
  }

  @Test func `a body uses the initial value of the first interactor that has one`() {
    struct Both: Interactor {
      var body: some Interactor<Int, Int> {
        Interact { state, action in
          state += action
          return .state
        }
        Interact(initialValue: 5) { state, action in
          state += action
          return .state
        }
      }
    }
    let model = ViewModel(Both())
    model.send(1)
    #expect(model.viewState == 7)
  }

  @Test func `handlers without an initial value read provided values`() {
    struct Reading: Interactor {
      var body: some Interactor<String, Int> {
        InteractWithValues { state, _, values in
          state = values[.tide]
          return .state
        }
      }
    }
    let model = ViewModel(Reading().providing(.tide, "high"), initialState: "")
    model.send(1)
    #expect(model.viewState == "high")
  }

  @Test(arguments: ["sheet", "row", "screen"])
  func `an effect of a removed child reads the state with which it began`(place: String) async {
    let model = ViewModel(Harbour())
    let watch = Watch()
    model.send(
      .change { state in
        state.sheet = Berth.State(id: 1, boat: "Ada")
        state.rows = IdentifiedArray(uniqueElements: [Berth.State(id: 2, boat: "Ada")])
        state.path = [.berth(Berth.State(id: 3, boat: "Ada"))]
      })
    let action: Harbour.Action =
      switch place {
      case "sheet": .sheet(.watch(watch))
      case "row": .row(2, .watch(watch))
      default: .path(.screen(ScreenID(3), .berth(.watch(watch))))
      }
    let task = model.send(action)
    await watch.hasBegun.wait()
    model.send(.change { $0 = Harbour.State() })
    watch.mayRead.open()
    await watch.boats.wait(for: 1)
    await task.finish()
    #expect(watch.boats.all == ["Ada"])
  }

  @Test func `an effect of a child reads the current state while the child exists`() async {
    let model = ViewModel(Harbour())
    let watch = Watch()
    model.send(.change { $0.sheet = Berth.State(id: 1, boat: "Ada") })
    let task = model.send(.sheet(.watch(watch)))
    await watch.hasBegun.wait()
    model.send(.sheet(.moor("Bea")))
    watch.mayRead.open()
    await task.finish()
    #expect(watch.boats.all == ["Bea"])
  }

  #if os(macOS) || os(Linux)
    @Test func `a root without an initial value names the state that it needs`() async throws {
      let result = try #require(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          await MainActor.run { _ = ViewModel(Berth()) }
        })
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("Berth.State"))
      #expect(text.contains("initialState:"))
    }
  #endif
}

extension ProvidedKey<String> {
  fileprivate static var tide: Self { ProvidedKey("tide", default: "low") }
}
