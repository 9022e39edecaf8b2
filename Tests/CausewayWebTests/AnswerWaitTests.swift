import Causeway
import CausewayWebTesting
import TestSupport
import Testing

@testable import CausewayWeb

/// Which effects the answer to an action waits for.
@Suite(.tags(.realClock), .timeLimit(.minutes(10)))
struct AnswerWaitTests {
  private struct Row: Interactor {
    struct State: Sendable, Encodable, Equatable, Identifiable {
      var id = 1
      var isOpen = false
    }

    enum Action: Sendable, Codable { case open }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, action in
        state.isOpen = true
        return .observe { _, _ in try await Task.sleep(for: .seconds(3600)) }
      }
    }
  }

  private struct Watcher: Interactor {
    struct State: Sendable, Encodable, Equatable {
      var isOpen = false
      var count = 0
      var sheet: Row.State? = Row.State()
      var rows: IdentifiedArray<Int, Row.State> = [Row.State()]
      var single = Row.State()
    }

    enum Action: Sendable, Codable {
      case change, streamActions, streamUpdates, sheet(Row.Action), single(Row.Action)
      case row(Int, Row.Action)
      case group, late, chained, store, followed, followedInGroup, poll, forever, element, pause
      case queued

      var sheet: Row.Action? { if case .sheet(let action) = self { action } else { nil } }
      var single: Row.Action? { if case .single(let action) = self { action } else { nil } }
      var row: (Int, Row.Action)? {
        if case .row(let id, let action) = self { (id, action) } else { nil }
      }
    }

    var gate = Gate()
    var stored = Log<String>()
    /// Lives as long as the page's model.
    var life = Log<String>()

    private var endless: Emission<State, Action> {
      .observe(id: "socket") { _, _ in try await Task.sleep(for: .seconds(3600)) }
    }

    private var oneElement: AsyncStream<Int> {
      AsyncStream { $0.yield(1) }
    }

    private var storing: Emission<State, Action> {
      let (gate, stored) = (gate, stored)
      return .perform(id: "store") { _ in
        await gate.wait()
        stored.append("stored")
      }
    }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, action in
        switch action {
        case .change:
          state.isOpen.toggle()
          return .state
        case .streamActions: return .observe(oneElement, send: { _ in .element })
        case .element:
          return .perform(id: "endless") { _ in try await Task.sleep(for: .seconds(3600)) }
        case .streamUpdates: return .observe(oneElement) { state, number in state.count += number }
        case .group: return .merge(.latest, id: "group", endless, storing)
        case .late: return .perform { send in await send(.change) }
        case .chained: return .sequence(storing, .action(.change))
        case .store: return .merge(endless, storing)
        case .followed: return .sequence(observing(), .perform { _ in })
        case .followedInGroup:
          return .sequence(.merge(id: "first", observing()), .perform { _ in })
        case .poll: return .sequence(.action(.pause), .action(.poll))
        case .pause:
          let life = life
          return .perform(id: "pause") { _ in
            try await Task.sleep(for: .milliseconds(1))
            withExtendedLifetime(life) {}
          }
        case .forever:
          return .perform(id: "forever") { _ in try await Task.sleep(for: .seconds(3600)) }
        case .queued:
          return .merge(
            .observe(.serial, id: "line") { _, _ in try await Task.sleep(for: .seconds(3600)) },
            .perform(.serial, id: "line") { _ in })
        case .sheet, .single, .row: return .state
        }
      }
      .onChange(of: \.isOpen) { state, isOpen in endless }
      .ifLet(\.sheet, action: \.sheet, embed: Action.sheet) { Row() }
      .scope(state: \.single, action: \.single, embed: Action.single) { Row() }
      .forEach(\.rows, action: \.row, embed: Action.row) { Row() }
    }

    /// An observation that ends, such as the progress of an upload.
    private func observing() -> Emission<State, Action> {
      let (gate, stored) = (gate, stored)
      return .observe { _, _ in
        await gate.wait()
        stored.append("stored")
      }
    }
  }

  private static func page(
    _ watcher: Watcher, effectTime: Duration, errors: Log<String> = Log()
  ) async throws -> PageTestClient {
    var configuration = WebServerConfiguration(port: 0) { errors.append("\($0)") }
    configuration.limits.effectTime = effectTime
    let server = WebServer(configuration: configuration)
    server.page("/", try PageTemplate(Board.page), answering: { _ in .afterEffects }) { _ in
      ViewModel(watcher)
    }
    return try await PageTestClient(server)
  }

  @Test(
    arguments: [
      .change, .streamActions, .streamUpdates, .sheet(.open), .single(.open), .row(1, .open), .late,
    ] as [Watcher.Action]
  )
  private func `an answer does not wait for observations`(_ action: Watcher.Action) async throws {
    let page = try await Self.page(Watcher(), effectTime: .seconds(3600))
    #expect(try await page.send(action) == .finished)
  }

  @Test(arguments: [.group, .chained, .store, .followed, .followedInGroup] as [Watcher.Action])
  private func `an answer waits for effects beside and after observations`(
    _ action: Watcher.Action
  ) async throws {
    let watcher = Watcher()
    let page = try await Self.page(watcher, effectTime: .seconds(3600))
    async let answer = page.send(action)
    #expect(watcher.stored.all == [])
    watcher.gate.open()
    #expect(try await answer == .finished)
    #expect(watcher.stored.all == ["stored"])
  }

  @Test(
    arguments: [
      (.forever, "\"forever\""), (.queued, "\"line\""), (.poll, "\"pause\""),
    ] as [(Watcher.Action, String)])
  private func `effects that do not end are named in the answer of a test`(
    _ action: Watcher.Action, _ name: String
  ) async throws {
    let page = try await Self.page(Watcher(), effectTime: .milliseconds(50))
    guard case .running(let effects) = try await page.send(action) else {
      Issue.record("The effects have ended.")
      return
    }
    // A polling sequence may be between two effects.
    if case .poll = action, effects.isEmpty { return }
    #expect(effects.count == 1)
    #expect(effects.first?.hasPrefix("\(name) at CausewayWebTests/AnswerWaitTests.swift:") == true)
  }

  @Test func `effects that never end are cancelled with the session of their page`() async throws {
    weak var life: Log<String>?
    do {
      let watcher = Watcher()
      life = watcher.life
      let page = try await Self.page(watcher, effectTime: .milliseconds(20))
      guard case .running = try await page.send(Watcher.Action.poll) else {
        Issue.record("The effects have ended.")
        return
      }
    }
    await until { life == nil }
  }

  @Test func `an effect that keeps a page waiting is reported once with its place and the fix`()
    async throws
  {
    let errors = Log<String>()
    let page = try await Self.page(Watcher(), effectTime: .milliseconds(20), errors: errors)
    for _ in 0..<2 {
      guard case .running(let effects) = try await page.send(Watcher.Action.forever) else {
        Issue.record("The effect has ended.")
        return
      }
      #expect(effects.count >= 1)
    }
    let report = try #require(errors.all.first)
    #expect(errors.all.count == 1)
    #expect(
      report.hasPrefix(
        "The page has waited 0.02 seconds for the effects of the action \"forever\"."))
    #expect(
      report.contains("Still running: \"forever\" at CausewayWebTests/AnswerWaitTests.swift:"))
    #expect(report.contains("start it with .observe"))
  }
}
