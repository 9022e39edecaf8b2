import Causeway

/// Tries the orders that differ in few places from that of the session, those with one first.
///
/// A trial runs on the main actor, because handlers and updates belong to it, and other work of the
/// main actor comes between two trials. The ends are compared off it. A cancellation ends the
/// search.
@MainActor
struct OrderSearch<State: Sendable, Action: Sendable> {
  /// The most orders that are tried.
  static var most: Int { 200 }

  let window: OrderWindow<State, Action>
  /// The state of the session at the end of the window.
  let recorded: KeptState<State>
  let rules: RedactionRules
  let fork: OrderTrial<State, Action>.Fork
  /// Receives each action before its handler, and the end of each trial.
  let begin: @MainActor (Action) -> Void
  let end: @MainActor () -> Void
  let goOn: @MainActor @Sendable (State) -> AnyObject?
  let event: @Sendable (OrderTrial<State, Action>.TriedStep, _ number: Int) -> RecordedEvent

  func run() async throws -> OrderReport {
    let (first, second) = (trial([:]), trial([:]))
    // Values that a handler makes anew, such as dates, differ from run to run.
    let made = Set(await Self.differences(first.end, second.end, rules).map(\.path))
    var report = OrderReport()
    report.hasChoices = first.choices.contains { $0 > 1 }
    let own = await Self.differences(recorded, first.end, rules).filter { !made.contains($0.path) }
    if let change = own.first {
      report.caveat =
        "Repeated in its own order, the session ends with another state (\(change.text)). So the "
        + "feature depends on more than its states, actions and answers, and the orders are compared "
        + "with the repetition."
    }
    var seen: Set<[String]> = [first.order]
    var known: [[String]: Int] = [:]
    var waiting = moves(after: [:], first.choices)[...]
    while let moves = waiting.popFirst() {
      if report.tried == Self.most {
        report.isLimited = true
        break
      }
      try Task.checkCancellation()
      await Task.yield()
      let tried = trial(moves)
      guard seen.insert(tried.order).inserted else { continue }
      report.tried += 1
      waiting += self.moves(after: moves, tried.choices)
      let differences = await Self.differences(first.end, tried.end, rules)
        .filter { !made.contains($0.path) }
      let errors = tried.errors.filter { !first.errors.contains($0) }
      if differences.isEmpty && errors.isEmpty { continue }
      let end = differences.map(\.text) + errors
      if let index = known[end] {
        report.outcomes[index].count += 1
      } else {
        known[end] = report.outcomes.count
        report.outcomes.append(outcome(tried, first, differences, errors))
      }
    }
    return report
  }

  private func trial(_ moves: [Int: Int]) -> OrderTrial<State, Action> {
    let trial = OrderTrial(window, begin: begin)
    trial.run(fork, moves: moves)
    end()
    return trial
  }

  /// The moves with one more place.
  private func moves(after moves: [Int: Int], _ choices: [Int]) -> [[Int: Int]] {
    let first = moves.keys.max().map { $0 + 1 } ?? 0
    return (first..<max(first, choices.count)).flatMap { place in
      (1..<max(1, choices[place])).map { moves.merging([place: $0]) { $1 } }
    }
  }

  private func outcome(
    _ trial: OrderTrial<State, Action>, _ first: OrderTrial<State, Action>,
    _ differences: [RecordedEvent.Change], _ errors: [String]
  ) -> OrderOutcome {
    let place = zip(trial.order, first.order).first { $0 != $1 }
    let title = place.map { "\($0.0) before \($0.1)" } ?? "an answer less"
    let (end, steps, beginning) = (trial.end, trial.steps, window.beginning)
    return OrderOutcome(
      order: trial.order, title: title, differences: differences, errors: errors,
      unanswered: trial.unanswered, goOn: { [goOn] in goOn(end.value) },
      events: { [event] in
        steps.enumerated().map { event($1, beginning + $0 + 1) }
      })
  }

  @concurrent private nonisolated static func differences(
    _ left: KeptState<State>, _ right: KeptState<State>, _ rules: RedactionRules
  ) async -> [RecordedEvent.Change] {
    ChangeFinder.changes(from: left.value, to: right.value, hiding: rules)
  }
}
