import Causeway
import CausewayInspector
import Foundation
import Testing

@testable import CausewayInspector

/// A feature with a secret that is no text, and with a value that differs in each run.
private struct Door: Interactor {
  struct Token: Equatable, Sendable { var digits: [Int] }

  struct State: Equatable, Sendable {
    var key: UUID?
    var lastKey: UUID?
    var token: Token?
    var opened = 0
  }

  enum Action: Sendable {
    case open(Token)
    case knock
    case use(UUID)
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .open(let token): state.token = token
      case .knock: (state.lastKey, state.key) = (state.key, UUID())
      case .use(let key): state.key = key
      }
      state.opened += 1
      return .state
    }
  }
}

@Suite("The test of a recording that lacks values") struct ScriptGapTests {
  @MainActor private static func text(
    _ actions: [Door.Action], _ options: TestScript.Options = .init()
  ) async throws -> String {
    let inspector = try Inspector()
    let model = ViewModel(Door(), observer: .inspected(by: inspector))
    for action in actions { model.send(action) }
    return try await TestScript(inspector.recording(), options).text
  }

  @Test func `fails until a hidden action is filled in`() async throws {
    let open = Door.Action.open(.init(digits: [4, 8]))
    let text = try await Self.text([open, .use(UUID())])
    #expect(
      text.contains(
        """
          // Fill in what the recording does not have: run.send(.open("<hidden>"/* Door.Token */))
          Issue.record("An action of the session is not in the recording as a whole.")
          run.send(.use(
        """))
    var options = TestScript.Options()
    options.triesOrders = true
    let orders = try await Self.text([open], options)
    #expect(orders.contains("    Issue.record(\"An action of the session"))
    #expect(!orders.contains("    await model.send"))
  }

  @Test func `does not expect a hidden value that is no text`() async throws {
    let text = try await Self.text([.open(.init(digits: [4, 8]))])
    #expect(text.contains("  // Not in the recording as a whole: token"))
    #expect(!text.contains("run.state.token"))
    #expect(text.contains("#expect(run.state.opened == 1)"))
  }

  @Test func `does not expect values that each run makes anew`() async throws {
    let text = try await Self.text([.knock, .knock])
    #expect(text.contains("  // Made anew in each run: key"))
    #expect(text.contains("  // Made anew in each run: lastKey"))
    #expect(text.contains("#expect(run.state.opened == 2)"))
  }

  @Test func `expects a UUID of an action`() async throws {
    let key = UUID()
    let text = try await Self.text([.knock, .use(key)])
    #expect(text.contains("#expect(run.state.key == UUID(uuidString: \"\(key)\")!)"))
  }

  @MainActor @Test func `repeats the failure of an effect before a crash`() async throws {
    let inspector = try Inspector()
    let search = Search(find: { _ in throw Search.Refused() })
    let model = ViewModel(search, observer: .inspected(by: inspector))
    await model.send(.updateQuery("boats")).finish()
    var recording = await inspector.recording()
    recording.events.append(
      RecordedEvent(
        n: 99, at: 0, kind: .handling, lane: .actions, model: "Search", title: "fail",
        value: ".fail"))
    let text = try TestScript(recording, .init()).text
    #expect(
      text.contains(
        """
          run.send(.updateQuery("boats"))
          run.update(from: "search #1") { state in
            state.error = "Refused()"
          }
          // The file ends in the handler of this action.
          run.send(.fail)
        """))
  }
}
