import Causeway
import CausewayTesting
import Observation
import TestSupport
import Testing

/// A value that the features of one tree share, and its assertions.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct SharedValueTests {
  typealias Action = NamesApp.Action

  private let names = SharedValue<[String]>(["Ada"])

  nonisolated static let actions: [Action] = [
    .add("Ben"), .always(.add("Ben")), .sheet(.add("Ben")), .phase(.add("Ben")),
    .row(2, .add("Ben")), .path(.screen(ScreenID(7), .add("Ben"))),
  ]

  @Test(arguments: actions)
  func `a change by one feature reaches all others in the same step`(action: Action) async {
    let model = TestModel(NamesApp(names: names))
    #expect(model.state.all == [["Ada"], ["Ada"]])
    await model.send(.open) {
      $0.sheet = Names.State()
      $0.phase = .loaded(Names.State())
      $0.rows = [Names.State(id: 1), Names.State(id: 2)]
      $0.path = [Names.State(id: 7)]
      // The children have the value, although the handler has not given it to them.
      $0.set(["Ada"])
    }
    await model.send(action) { $0.set(["Ada", "Ben"]) }
    #expect(names.value == ["Ada", "Ben"])
    await model.finish()
  }

  @Test(arguments: actions)
  func `a shared change that is not asserted is a failure`(action: Action) async {
    let failures = Failures()
    let model = TestModel(NamesApp(names: names), exhaustivity: .off, reporter: failures.reporter)
    await model.send(.open)
    model.exhaustivity = .on
    await model.send(action)
    #expect(failures.all.count == 1)
    await model.send(.add("Cleo")) { $0.names.append("Cleo") }
    #expect(failures.all.count == 2)
    #expect(failures.all.last?.contains("always.names") == true)
    await model.send(.add("Dan")) { $0.set(["Ada", "Ben", "Cleo", "Dan"]) }
    #expect(failures.all.count == 2)
    await model.finish()
  }

  @Test func `an update of an effect changes the shared value`() async {
    let model = TestModel(NamesApp(names: names))
    await model.send(.always(.addLater("Ben")))
    await model.expect { $0.set(["Ada", "Ben"]) }
    await model.send(.always(.addTwice("Cleo"))) { $0.set(["Ada", "Ben", "Cleo"]) }
    await model.receive(.always(.add("Cleo"))) { $0.set(["Ada", "Ben", "Cleo", "Cleo"]) }
    await model.finish()
  }

  @Test func `the change of a child that is removed in the same step is kept`() async {
    let model = TestModel(NamesApp(names: names), exhaustivity: .off)
    await model.send(.open)
    await model.send(.sheet(.done("Ben"))) {
      $0.sheet = nil
      $0.set(["Ada", "Ben"])
    }
    #expect(names.value == ["Ada", "Ben"])
    await model.finish()
  }

  @Test func `a parent that changes the value for the same action sees the change of its child`()
    async
  {
    let model = TestModel(NamesApp(names: names), exhaustivity: .off)
    await model.send(.open)
    await model.send(.sheet(.addTwice("Ben"))) { $0.set(["Ada", "Ben", "root Ben"]) }
    await model.receive(.sheet(.add("Ben"))) { $0.set(["Ada", "Ben", "root Ben", "Ben"]) }
    await model.finish()
  }

  @Test func `a change from outside is a step of its own`() async {
    let model = TestModel(NamesApp(names: names))
    names.value.append("Ben")
    #expect(model.state.all == [["Ada", "Ben"], ["Ada", "Ben"]])
    await model.expect(from: "sharing") { $0.set(["Ada", "Ben"]) }
    names.value = ["Ada", "Ben"]
    await model.finish()
    let failures = Failures()
    let other = TestModel(NamesApp(names: names), reporter: failures.reporter)
    names.value = []
    await other.finish()
    #expect(failures.all.count == 1)
  }

  @Test func `the value of the object replaces the value in the initial state`() async {
    let model = TestModel(
      NamesApp(names: names), initialState: NamesApp.State(sheet: Names.State(names: ["old"])))
    #expect(model.state.all == [["Ada"], ["Ada"], ["Ada"]])
    await model.finish()
  }

  @Test(arguments: 0..<20)
  func `models with objects of their own share nothing`(number: Int) async {
    let names = SharedValue<[String]>([])
    let model = TestModel(NamesApp(names: names))
    for count in 1...5 {
      await model.send(.add("\(number)")) { $0.set(Array(repeating: "\(number)", count: count)) }
      await Task.yield()
    }
    await model.finish()
  }

  @Test func `no step and no observer sees an old value`() {
    var states: [NamesApp.State] = []
    let model = ViewModel(
      NamesApp(names: names), observer: StepObserver { states.append($0.after) })
    let seen = Log<Bool>()
    func observe() {
      withObservationTracking {
        _ = model.names
        _ = model.always
      } onChange: {
        MainActor.assumeIsolated {
          seen.append(Set(model.viewState.all).count == 1)
        }
      }
    }
    model.send(.open)
    for action in Self.actions {
      observe()
      model.send(action)
    }
    observe()
    names.value = []
    for action in Self.actions.reversed() {
      observe()
      model.send(action)
    }
    model.send(.close)
    #expect(states.count == 15)
    #expect(states.allSatisfy { Set($0.all).count == 1 })
    #expect(seen.all.count == 13 && seen.all.allSatisfy { $0 })
  }

  @Test func `a recorded session can be repeated, and the repetition changes nothing real`()
    async throws
  {
    let model = TestModel(NamesApp(names: names), exhaustivity: .off)
    var steps: [Action] = [.open]
    steps += Self.actions
    steps.append(.close)
    for step in steps { await model.send(step) }
    await model.finish()
    let last = names.value
    #expect(!last.isEmpty)
    let others = SharedValue<[String]>([])
    for shown in [names, others] {
      let run = ScriptedRun(NamesApp(names: shown))
      for step in steps { run.send(step) }
    }
    #expect(names.value == last && others.value == [])
  }

  @Test func `an exploration finds the orders of effects that change a shared value`() async {
    struct Pair: Interactor {
      struct State: Hashable, Sendable {
        var first = Names.State()
        var second = Names.State()
      }
      enum Action: Sendable {
        case first(Names.Action), second(Names.Action)
        var first: Names.Action? { if case .first(let action) = self { action } else { nil } }
        var second: Names.Action? { if case .second(let action) = self { action } else { nil } }
      }
      let names = SharedValue<[String]>([])
      var body: some InteractorOf<Self> {
        Interact<State, Action>(initialValue: State())
          .scope(state: \.first, action: \.first, embed: Action.first) { Names(names: names) }
          .scope(state: \.second, action: \.second, embed: Action.second) { Names(names: names) }
      }
    }
    var ends: Set<[String]> = []
    var isSame = true
    let result = await exploreInterleavings(
      of: Pair(), options: .everyOrder(sharing: .fields)
    ) { model in
      await model.send(.first(.addLater("a")))
      await model.send(.second(.addLater("b")))
    } check: { state in
      ends.insert(state.first.names)
      if state.first.names != state.second.names { isSame = false }
    }
    #expect(result.isComplete)
    #expect(isSame)
    #expect(ends == [["a", "b"], ["b", "a"]])
  }
}
