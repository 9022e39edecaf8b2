import Causeway
import CausewaySystem

/// Tries the orders that differ from the session's order in few places, beginning with one place.
///
/// A trial runs on the main actor, because handlers and updates belong to it, and other work of the
/// main actor comes between two trials. The results of the trials are compared off the main actor.
/// A cancellation ends the search.
@MainActor
struct OrderSearch<State: Sendable, Action: Sendable> {
  /// The largest number of orders that are tried.
  static var most: Int { 200 }
  /// The largest number of ends that are kept.
  private static var mostEnds: Int { 20 }

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
    let (first, second) = (trial([]), trial([]))
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
    if first.isIncomplete {
      report.caveat =
        "A sequence was in flight before these steps, and its later parts are left out. So the orders "
        + "can lead to ends to which the session cannot lead."
    } else if report.caveat == nil, first.stepCount != window.end - window.beginning {
      report.caveat =
        "Repeated in its own order, the session has \(first.stepCount) steps instead of "
        + "\(window.end - window.beginning), so the orders are compared with the repetition."
    }
    var seen: Set<[String]> = [first.order]
    var known: [[String]: Int] = [:]
    var orders = OrderFrontier(most: Self.most)
    Self.add(first, after: [], moves: 0, to: &orders)
    while report.tried < Self.most, let (choices, moves) = orders.next() {
      try Task.checkCancellation()
      await Task.yield()
      let tried = trial(choices)
      guard seen.insert(tried.order).inserted else { continue }
      report.tried += 1
      Self.add(tried, after: choices, moves: moves, to: &orders)
      let differences = await Self.differences(first.end, tried.end, rules)
        .filter { !made.contains($0.path) }
      let errors = tried.errors.filter { !first.errors.contains($0) }
      if differences.isEmpty && errors.isEmpty { continue }
      let end = differences.map(\.text) + errors
      if let index = known[end] {
        report.outcomes[index].count += 1
      } else if report.outcomes.count == Self.mostEnds {
        report.others += 1
      } else {
        known[end] = report.outcomes.count
        report.outcomes.append(outcome(choices, tried, first, differences, errors))
      }
    }
    report.isLimited = orders.isCut || !orders.isEmpty
    return report
  }

  private func trial(_ choices: [Int], keepsSteps: Bool = false) -> OrderTrial<State, Action> {
    let trial = OrderTrial(window, rules, keepsSteps: keepsSteps, begin: begin)
    trial.run(fork, choosing: choices)
    end()
    return trial
  }

  /// Adds the orders that differ from a trial in one more place.
  private static func add(
    _ trial: OrderTrial<State, Action>, after choices: [Int], moves: Int,
    to orders: inout OrderFrontier
  ) {
    let rest = repeatElement(0, count: max(0, trial.choices.count - choices.count))
    orders.add(choices + rest, after: choices.count, switches: moves) { place in
      (count: trial.choices[place], free: 1)
    }
  }

  /// Returns the end of a trial.
  ///
  /// Its states are large, so they are made again when the page needs them.
  private func outcome(
    _ choices: [Int], _ trial: OrderTrial<State, Action>, _ first: OrderTrial<State, Action>,
    _ differences: [RecordedEvent.Change], _ errors: [String]
  ) -> OrderOutcome {
    let place = zip(trial.order, first.order).first { $0 != $1 }
    let title = place.map { "\($0.0) before \($0.1)" } ?? "one answer fewer"
    return OrderOutcome(
      order: trial.order, title: title, differences: differences, errors: errors,
      unanswered: trial.unanswered, goOn: { goOn(self.trial(choices).end.value) },
      events: {
        let steps = self.trial(choices, keepsSteps: true).steps
        return await Self.events(of: steps, after: window.beginning, event)
      })
  }

  @concurrent private nonisolated static func events(
    of steps: [OrderTrial<State, Action>.TriedStep], after beginning: Int,
    _ event: @Sendable (OrderTrial<State, Action>.TriedStep, _ number: Int) -> RecordedEvent
  ) async -> [RecordedEvent] {
    steps.enumerated().map { event($1, beginning + $0 + 1) }
  }

  @concurrent private nonisolated static func differences(
    _ left: KeptState<State>, _ right: KeptState<State>, _ rules: RedactionRules
  ) async -> [RecordedEvent.Change] {
    ChangeFinder.changes(from: left.value, to: right.value, hiding: rules)
  }
}
