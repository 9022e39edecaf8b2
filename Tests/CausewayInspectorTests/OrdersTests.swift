import Causeway
import CausewayWebTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayInspector

/// A feature with the search as a child.
private struct Desk: Interactor {
  struct State: Equatable, Sendable {
    var lookup = Lookup.State()
  }

  enum Action: Sendable {
    case lookup(Lookup.Action)

    var lookup: Lookup.Action? {
      switch self {
      case .lookup(let action): action
      }
    }
  }

  var lookup: Lookup

  var body: some InteractorOf<Self> {
    Interact<State, Action>(initialValue: State()) { _, _ in .state }
      .scope(state: \.lookup, action: \.lookup, embed: Action.lookup) { lookup }
  }
}

@MainActor @Suite("Other orders of the answers of a session", .timeLimit(.minutes(10)))
struct OrdersTests {
  /// Asks for "a" and "ab", gets both answers in this order, and tries other orders from a step.
  private func report(
    isCareful: Bool, from step: Int, _ body: (OrderReport, Inspector) async throws -> Void
  ) async throws {
    let inspector = try Inspector()
    let model = await Lookup.session(isCareful: isCareful, watchedBy: inspector)
    #expect(model.viewState.rows == ["ab"])
    let inspected = try #require(inspector.models.model(named: "Lookup"))
    try await body(try #require(await inspected.otherOrders(from: step)), inspector)
  }

  @Test func `show the answer that comes too late`() async throws {
    try await report(isCareful: false, from: 2) { report, inspector in
      #expect(report.tried == 1 && report.caveat == nil && !report.isLimited)
      let outcome = try #require(report.outcomes.first)
      #expect(outcome.title == "update from look #2 before update from look #1")
      #expect(outcome.order == ["update from look #2", "update from look #1"])
      #expect(outcome.differences.map(\.text) == [#"rows[0]: "ab" → "a""#])
      #expect(outcome.errors.isEmpty && outcome.unanswered.isEmpty)
    }
  }

  @Test func `leave out the answers that a policy would have cancelled`() async throws {
    try await report(isCareful: true, from: 1) { report, _ in
      #expect(report.hasChoices && report.tried == 1)
      #expect(report.outcomes.isEmpty)
    }
  }

  @Test func `are none without an effect in flight`() async throws {
    try await report(isCareful: true, from: 4) { report, _ in
      #expect(!report.hasChoices && report.tried == 0)
    }
  }

  @Test func `find the effects of a child in its place`() async throws {
    let inspector = try Inspector()
    let desk = Desk(lookup: Lookup(isCareful: true))
    let model = ViewModel(
      desk,
      observer: .inspected(by: inspector) { state, observer in
        ViewModel(desk, initialState: state, observer: observer)
      })
    for query in ["a", "ab"] { await model.send(.lookup(.look(query))).finish() }
    await model.send(.lookup(.clear)).finish()
    let inspected = try #require(inspector.models.model(named: "Desk"))
    let report = try #require(await inspected.otherOrders(from: 1))
    #expect(report.tried > 0 && report.outcomes.isEmpty, "\(report.outcomes)")
  }

  @Test func `end when they are cancelled`() async throws {
    try await report(isCareful: false, from: 2) { _, inspector in
      let task = Task {
        try await inspector.models.model(named: "Lookup")?.otherOrders(from: 2)?.tried
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `are no longer searched and not shown at another step`() async throws {
    try await report(isCareful: false, from: 2) { report, inspector in
      await inspector.settle()
      let timeline = ViewModel(Timeline(inspector))
      let events = await inspector.recording().events.filter(\.isStep)
      @MainActor func select(_ step: Int) async throws {
        let event = try #require(events.first { $0.step == step })
        await timeline.send(.page(.select(event.n))).finish()
        #expect(timeline.viewState.detail?.step == step)
      }
      try await select(2)
      for leave in [Timeline.PageAction.close, .present, .leave, .orders(.stop)] {
        try await select(2)
        timeline.send(.page(.orders(.start)))
        #expect(timeline.runningEffects.contains("orders"))
        timeline.send(.page(leave))
        #expect(!timeline.runningEffects.contains("orders"), "\(leave)")
      }
      try await select(3)
      timeline.send(.triedOrders(Timeline.FoundOrders(report, "Lookup", 2)))
      #expect(!timeline.viewState.tries.isShown)
      timeline.send(.triedOrders(Timeline.FoundOrders(report, "Lookup", 3)))
      #expect(timeline.viewState.tries.isShown)
    }
  }

  @Test func `are shown on the page, go on in a fork, and become a test`() async throws {
    struct Outcome: Decodable { var title: String }
    try await report(isCareful: false, from: 2) { _, inspector in
      _ = try await inspector.start()
      await inspector.settle()
      let server = try #require(inspector.page.withLock { $0 })
      let path = "/" + (server.address.split(separator: "/").last ?? "")
      let page = try await PageTestClient(server.web, path: path)
      let events = await inspector.recording().events
      let chosen = try #require(events.first { $0.step == 2 && $0.isStep })
      try await page.send(Timeline.PageAction.select(chosen.n))
      _ = try await page.value("detail.canFork", as: Bool.self) { $0 }
      try await page.send(Timeline.PageAction.orders(.start))
      let outcomes = try await page.value("tries.outcomes", as: [Outcome].self) { !$0.isEmpty }
      #expect(outcomes.map(\.title) == ["update from look #2 before update from look #1"])
      try await page.send(Timeline.PageAction.orders(.writeTest(of: 0)))
      let test = try await page.value("tries.test", as: String.self)
      let updates = test.matches(of: /run\.update\(from: "(look #\d)"\)/).map { String($0.1) }
      #expect(updates == ["look #2", "look #1"], "\(test)")
      #expect(test.contains(#"#expect(run.state.rows[0] == "a")"#))
      try await page.send(Timeline.PageAction.orders(.goOn(from: 0)))
      _ = try await page.value("notice", as: String.self) { $0.contains("A second model goes on") }
      #expect(inspector.models.names.last == "Lookup, other order from step 2")
      #expect(try await page.problems == [])
      await inspector.stop()
    }
  }
}
