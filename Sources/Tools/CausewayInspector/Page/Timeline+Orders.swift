import Causeway

extension Timeline {
  /// The view state of a search for other orders.
  struct Tries: Encodable, Equatable, Sendable {
    var isShown = false
    var isRunning = false
    var heading = ""
    var caveat: String?
    var outcomes: [Outcome] = []
    /// A test that repeats one of the orders.
    var test: String?
    var found: FoundOrders?

    /// The found orders are for the server only.
    private enum CodingKeys: String, CodingKey {
      case isShown, isRunning, heading, caveat, outcomes, test
    }
  }

  /// An end to which other orders lead.
  struct Outcome: Encodable, Equatable, Sendable {
    var id: Int
    var title: String
    var summary: String
    var order: [OutcomeLine]
    var differences: [OutcomeLine]
  }

  struct OutcomeLine: Encodable, Equatable, Sendable {
    var id: Int
    var text: String
  }

  /// A finished search, with the models and tests that it can make.
  final class FoundOrders: Sendable, Equatable {
    let report: OrderReport
    let model: String
    let step: Int

    init(_ report: OrderReport, _ model: String, _ step: Int) {
      (self.report, self.model, self.step) = (report, model, step)
    }

    static func == (left: FoundOrders, right: FoundOrders) -> Bool { left === right }
  }

  /// Handles the actions about other orders.
  func tryOrders(_ action: OrderAction, _ state: inout State) -> Emission<State, Action> {
    switch action {
    case .start:
      guard let detail = state.detail, let model = detail.model, let step = detail.step else {
        return .state
      }
      state.tries = Tries(isShown: true, isRunning: true, heading: "Other orders are tried…")
      return .perform(.latest, id: "orders") { [inspector = state.source.inspector] send in
        let report = try await Self.otherOrders(of: model, from: step, inspector)
        await send(.triedOrders(report.map { FoundOrders($0, model, step) }))
      }
    case .stop:
      return stopTrying(&state)
    case .goOn(let outcome):
      guard let found = state.tries.found, found.report.outcomes.indices.contains(outcome) else {
        return .state
      }
      return .perform(id: "fork") { [inspector = state.source.inspector, state] send in
        let fork = try await Self.goOn(found, outcome, inspector, isShown: state.showsPage)
        await send(
          .forked(
            fork == nil
              ? "\(found.model) has ended." : "A second model goes on from the end of this order.",
            page: fork?.page))
      } catch: { state, error in
        state.notice = "The page of the app cannot be shown: \(error)"
      }
    case .writeTest(let outcome):
      guard let found = state.tries.found, found.report.outcomes.indices.contains(outcome) else {
        return .state
      }
      return .perform(.latest, id: "test") { [store = state.source.inspector.store] send in
        let test = await Self.test(found, outcome, store)
        await send { $0.tries.test = test }
      }
    }
  }

  /// Ends the search and hides its results, because another step is shown.
  func stopTrying(_ state: inout State) -> Emission<State, Action> {
    state.tries = Tries()
    return .merge(.cancel("orders"), .cancel("test"))
  }

  @MainActor private static func otherOrders(
    of name: String, from step: Int, _ inspector: Inspector
  ) async throws -> OrderReport? {
    try await inspector.models.model(named: name)?.otherOrders(from: step)
  }

  @MainActor private static func goOn(
    _ found: FoundOrders, _ outcome: Int, _ inspector: Inspector, isShown: Bool
  ) async throws -> (page: String?, isDone: Bool)? {
    guard let fork = found.report.outcomes[outcome].goOn() else { return nil }
    let page = inspector.models.model(named: found.model)?.page
    return (isShown ? try await inspector.appPages.host(fork, on: page) : nil, true)
  }

  /// The session until the beginning of the order, and the order, as a test.
  @concurrent private nonisolated static func test(
    _ found: FoundOrders, _ outcome: Int, _ store: EventStore
  ) async -> String {
    let events = await found.report.outcomes[outcome].events()
    let first = events.first?.step ?? 1
    let session = store.all.flatMap { $0.map(\.event) }.filter {
      $0.model == found.model && ($0.kind == .model || ($0.isStep && ($0.step ?? 0) < first))
    }
    var options = TestScript.Options()
    options.movedFrom = found.step
    do throws(ScriptError) {
      let header = RecordingHeader(program: "", began: 0)
      return try TestScript(Recording(header: header, events: session + events), options).text
    } catch {
      return "\(error)"
    }
  }

  func show(_ found: FoundOrders?, _ state: inout State) {
    guard let found else {
      state.tries = Tries(isShown: true, heading: "The steps from here on are not kept any more.")
      return
    }
    // The user may have selected another step in the meantime.
    if state.detail?.model == found.model && state.detail?.step == found.step {
      state.tries = Tries(found)
    }
  }
}

extension Timeline.Tries {
  fileprivate init(_ found: Timeline.FoundOrders) {
    let report = found.report
    (isShown, self.found, caveat) = (true, found, report.caveat)
    let count = report.outcomes.reduce(report.others) { $0 + $1.count }
    let what = "of what came after step \(found.step)"
    let (one, many) = (report.tried == 1, "\(report.tried) other orders \(what)")
    if !report.hasChoices {
      heading = "No effect was in flight here, so nothing could have come in another order."
    } else if count == 0 {
      heading =
        one
        ? "The only other order \(what) leads to the same state."
        : "\(many) lead to the same state."
    } else {
      heading =
        one
        ? "The only other order \(what) leads to another end."
        : "\(many) were tried; \(count) of them \(count == 1 ? "leads" : "lead") to another end."
    }
    if report.isLimited { heading += " There are more orders." }
    if report.others > 0 { heading += " The first \(report.outcomes.count) ends are shown." }
    outcomes = report.outcomes.enumerated().map { index, outcome in
      let lines =
        outcome.errors.map { "Reported: \($0)" } + outcome.differences.map(\.text)
        + outcome.unanswered.map { "\($0) has no answer in the session." }
      return Timeline.Outcome(
        id: index, title: outcome.title,
        summary: outcome.count == 1
          ? "One order ends like this:" : "\(outcome.count) orders end like this:",
        order: Self.lines(outcome.order), differences: Self.lines(lines))
    }
  }

  private static func lines(_ texts: [String]) -> [Timeline.OutcomeLine] {
    texts.prefix(100).enumerated().map { .init(id: $0, text: $1.shortened(to: 300)) }
  }
}
