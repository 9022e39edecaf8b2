import Causeway
import CausewayTesting
import TestSupport
import Testing

/// The innermost feature: an effect sends an action.
private struct Sounding: Interactor {
  struct State: Identifiable, Equatable, Sendable {
    var id = 0
    var depth: Int?
  }

  enum Action: Equatable, Sendable {
    case measure(Int)
    case measured(Int)
    case failed

    var measured: Int? { if case .measured(let depth) = self { depth } else { nil } }
    var failed: Void? { if case .failed = self { () } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact { state, action in
      switch action {
      case .measure(let depth): return .perform { send in await send(.measured(depth)) }
      case .measured(let depth): state.depth = depth
      case .failed: break
      }
      return .state
    }
  }
}

private struct Boat: Interactor {
  struct State: Equatable, Sendable {
    var bow = Sounding.State()
    var lines: IdentifiedArray<Int, Sounding.State> = IdentifiedArray(
      uniqueElements: [Sounding.State(id: 1), Sounding.State(id: 2)])
    var path: ScreenPath<Sounding.State> = [Sounding.State(id: 7)]
  }

  enum Action: Equatable, Sendable {
    case bow(Sounding.Action)
    case line(Int, Sounding.Action)
    case path(PathAction<Sounding.State, Sounding.Action>)

    var bow: Sounding.Action? { if case .bow(let action) = self { action } else { nil } }
    var line: (Int, Sounding.Action)? {
      if case .line(let id, let action) = self { (id, action) } else { nil }
    }
    var path: PathAction<Sounding.State, Sounding.Action>? {
      if case .path(let action) = self { action } else { nil }
    }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State())
      .scope(state: \.bow, action: \.bow, embed: Action.bow) { Sounding() }
      .forEach(\.lines, action: \.line, embed: Action.line) { Sounding() }
      .screens(\.path, action: \.path, embed: Action.path) { Sounding() }
  }
}

private struct Fleet: Interactor {
  struct State: Equatable, Sendable {
    var flagship = Boat.State()
  }

  enum Action: Equatable, Sendable {
    case flagship(Boat.Action)

    var flagship: Boat.Action? { if case .flagship(let action) = self { action } else { nil } }
  }

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State())
      .scope(state: \.flagship, action: \.flagship, embed: Action.flagship) { Boat() }
  }
}

@MainActor
struct DeepReceiveTests {
  @Test func `a test of the root receives the action of a grandchild`() async {
    let model = TestModel(Fleet())
    await model.send(.flagship(.bow(.measure(3))))
    await model.receive(\.flagship?.bow?.measured) { $0.flagship.bow.depth = 3 }
    await model.send(.flagship(.bow(.measure(4))))
    await model.receive(\.flagship?.bow?.measured, 4) { $0.flagship.bow.depth = 4 }
    await model.finish()
  }

  @Test func `a test of the root receives the action of a row and of a screen`() async {
    let model = TestModel(Fleet())
    await model.send(.flagship(.line(2, .measure(3))))
    await model.receive(\.flagship?.line, id: 2, \.measured) {
      $0.flagship.lines[id: 2]?.depth = 3
    }
    await model.send(.flagship(.path(.screen(ScreenID(7), .measure(5)))))
    await model.receive(\.flagship?.path?.screen, id: ScreenID(7), \.measured, 5) {
      $0.flagship.path[id: ScreenID(7)]?.depth = 5
    }
    await model.finish()
  }

  @Test(arguments: ["id", "payload", "case", "level"])
  func `another action than the expected one fails the test`(difference: String) async {
    let failures = Log<String>()
    let model = TestModel(
      Fleet(), exhaustivity: .off,
      reporter: FailureReporter { message, _ in failures.append(message) })
    await model.send(.flagship(.line(2, .measure(3))))
    switch difference {
    case "id": await model.receive(\.flagship?.line, id: 1, \.measured)
    case "payload": await model.receive(\.flagship?.line, id: 2, \.measured, 4)
    case "case": await model.receive(\.flagship?.line, id: 2, \.failed)
    default: await model.receive(\.flagship?.bow?.measured)
    }
    await model.finish()
    #expect(failures.all.count == 1)
  }
}
