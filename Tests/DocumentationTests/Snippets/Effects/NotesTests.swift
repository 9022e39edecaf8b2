import Causeway
import CausewayTesting
import TestSupport
import Testing

@MainActor struct NotesTests {
  private struct Full: Error {}

  private func notes(
    save: @escaping @Sendable (String) async throws -> Int = { $0.count },
    changes: AsyncStream<String> = AsyncStream { $0.finish() },
    events: @escaping @Sendable () -> AsyncStream<String> = { AsyncStream { $0.finish() } }
  ) -> Notes {
    Notes(
      world: NotesWorld(
        save: save, suggest: { ["\($0)!"] }, changes: changes, events: events))
  }

  @Test func `an update arrives`() async {
    let model = TestModel(notes(), initialState: Notes.State(draft: "abc"))
    await model.send(.save)
    await model.expect { $0.revision = 3 }
    await model.finish()
  }

  @Test func `an error is handled by catch, or else by onError`() async {
    let reports = Log<String>()
    let model = ViewModel(
      notes(save: { _ in throw Full() }), onError: { reports.append($0.description) })
    await model.send(.publish).finish()
    #expect(model.problem == "Not saved: Full()")
    #expect(reports.all.isEmpty)
    await model.send(.save).finish()
    #expect(reports.all.count == 1)
  }

  @Test func `an effect that stays on the main actor changes the state`() async {
    let model = TestModel(notes())
    await model.send(.rest) { $0.isPaused = true }
    await model.expect { $0.isPaused = false }
    await model.finish()
  }

  @Test func `an action that an effect sends is handled`() async {
    let model = TestModel(notes(), initialState: Notes.State(draft: "abc"))
    await model.send(.publish)
    await model.receive(.saved(3)) { $0.revision = 3 }
    await model.finish()
  }

  // snippet
  @Test func `a pause in typing asks for suggestions`() async {
    let clock = TestClock()
    let model = TestModel(notes(), clock: clock)

    await model.send(.edit("li")) { $0.draft = "li" }
    await clock.advance(by: .milliseconds(200))
    await model.send(.edit("lig")) { $0.draft = "lig" }
    await clock.advance(by: .milliseconds(300))
    await model.expect { $0.suggestions = ["lig!"] }
    await model.finish()
  }
  // end

  @Test func `cancelled effects never start`() async {
    let clock = TestClock()
    let model = TestModel(notes(), clock: clock)
    await model.send(.edit("li")) { $0.draft = "li" }
    await model.send(.clear) { $0.draft = "" }
    await clock.advance(by: .seconds(1))
    await model.finish()
  }

  @Test func `elements of a sequence arrive in order`() async {
    let (changes, continuation) = AsyncStream.makeStream(of: String.self)
    for change in ["a", "b", "c"] { continuation.yield(change) }
    continuation.finish()
    let model = ViewModel(notes(changes: changes))
    await model.send(.follow).finish()
    #expect(model.log == ["a", "b", "c"])
  }

  @Test func `each event reads the current state`() async {
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    let model = TestModel(notes(events: { events }))
    await model.send(.listen)
    continuation.yield("a")
    await model.expect { $0.log = ["a"] }
    await model.send(.pause) { $0.isPaused = true }
    continuation.yield("b")
    continuation.finish()
    await model.finish()
  }

  @Test func `a sequence continues when all effects before it have ended`() async {
    let (changes, continuation) = AsyncStream.makeStream(of: String.self)
    continuation.yield("a")
    continuation.finish()
    let model = TestModel(notes(changes: changes), initialState: Notes.State(draft: "abc"))
    await model.send(.open)
    await model.receive(.publish)
    await model.receive(.saved(3)) { $0.revision = 3 }
    await model.receive(.follow)
    await model.receive(.listen)
    await model.expect { $0.log = ["a"] }
    await model.finish()
  }

  @Test func `sending a whole state overwrites concurrent changes`() async {
    let model = TestModel(notes(), initialState: Notes.State(draft: "abc"))
    await model.send(.reset)
    await model.expect { $0.draft = "" }
    await model.finish()
  }
}

/// The three ways to send.
struct Sending: Interactor {
  struct State: Equatable, Sendable {
    var items: [Int] = []
  }

  enum Action: Equatable, Sendable {
    case start
    case loaded([Int])
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .start:
        return .perform { send in
          let item = 1
          let items = [1, 2]
          // snippet
          await send { $0.items.append(item) }  // an update of the latest state
          await send(.loaded(items))  // an action, handled like one from the view
          await send(replacing: State(items: items))  // a whole state: overwrites
          // end
        }
      case .loaded(let items):
        state.items += items
        return .state
      }
    }
  }
}

@MainActor struct SendingTests {
  @Test func `there are three ways to send`() async {
    let model = TestModel(Sending())
    await model.send(.start)
    await model.expect { $0.items = [1] }
    await model.receive(.loaded([1, 2])) { $0.items = [1, 1, 2] }
    await model.expect { $0.items = [1, 2] }
    await model.finish()
  }
}
