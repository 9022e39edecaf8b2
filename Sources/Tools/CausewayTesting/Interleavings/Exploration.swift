import Causeway
import CausewaySystem

/// Searches for an order of steps that fails.
@MainActor
struct Exploration<State: Sendable, Action: Sendable, World> {
  let trial: Trial<State, Action, World>
  /// The actions that shrinking may remove; `nil` for a test that cannot be shortened.
  let script: TrialScript<Action>?
  let trials: Int
  let location: TestLocation
  private var steps: [Trial<State, Action, World>.ScriptStep]? {
    script.map { Array($0.steps.enumerated()) }
  }
  private var options: ExplorationOptions { trial.options }

  init(
    trial: Trial<State, Action, World>,
    script: TrialScript<Action>?,
    trials: Int,
    location: TestLocation
  ) {
    precondition(trials > 0, "An exploration needs at least one trial.")
    self.trial = trial
    self.script = script
    self.trials = trials
    self.location = location
  }

  /// Explores, and reports the first failure.
  func run() async -> ExplorationResult {
    let result =
      if let text = ReplayText.asked(options.replay) {
        await replay(text)
      } else if let seed = options.seed {
        await sample(seed...seed)
      } else if options.search == .everyOrder {
        await enumerate(limit: trials)
      } else {
        await sample(0...UInt64(trials - 1))
      }
    if let failure = result.failure { options.reporter.report("\(failure)", location) }
    return result
  }

  /// Repeats one trial, as it is.
  private func replay(_ text: String) async -> ExplorationResult {
    let count = script?.steps.count ?? 0
    guard let repeated = RepeatedTrial(text), repeated.removed.last ?? -1 < count else {
      return ExplorationResult(
        trials: 0, isComplete: false,
        failure: InterleavingFailure(
          seed: nil, scriptLengths: nil,
          reason: """
            "\(text)" is not the text of a trial of this script of \(count) steps. A failure shows \
            such a text, for example "4.1-9.2" or "4.1-9.2/0,3".
            """, steps: [], replay: nil, title: "No trial was repeated."))
    }
    let kept = steps?.filter { !repeated.removed.contains($0.offset) }
    let trace = Trace()
    let outcome = await trial.perform(
      EffectChooser(repeating: repeated.order), script: kept, trace: trace)
    if Task.isCancelled { return cancelled(after: 0, of: 1) }
    let failure = outcome.failure.map { failure in
      InterleavingFailure(
        seed: nil, scriptLengths: kept.map { (count, $0.count) }, reason: failure.reason,
        steps: failure.shown(trace), replay: text, title: "The repeated trial failed.")
    }
    return ExplorationResult(trials: 1, isComplete: false, failure: failure)
  }

  /// Tries the given seeds.
  private func sample(_ seeds: ClosedRange<UInt64>) async -> ExplorationResult {
    for (index, seed) in seeds.enumerated() {
      if Task.isCancelled { return cancelled(after: index, of: seeds.count) }
      let (end, _) = await attempt(
        index + 1, of: seeds.count, EffectChooser(seed: seed, search: options.search), seed: seed,
        shrinkingSeeds: max((index + 1) * 2, 50),
        "Trial \(index + 1) of \(seeds.count) failed. Replay it with seed: \(seed).")
      if let end { return end }
    }
    return ExplorationResult(trials: seeds.count, isComplete: false, failure: nil)
  }

  /// Tries every order that can have another result, up to a limit.
  private func enumerate(limit: Int) async -> ExplorationResult {
    var orders = OrderSearch()
    var trials = 0
    repeat {
      if trials == limit {
        return ExplorationResult(
          trials: trials, isComplete: false, coverage: orders.coverage, failure: nil)
      }
      trials += 1
      let (end, next) = await attempt(
        trials, of: limit, EffectChooser(enumerating: orders), seed: nil, shrinkingSeeds: 50,
        "Trial \(trials) of an enumeration of all orders failed.")
      if let end { return end }
      orders = next ?? orders
    } while orders.advance()
    return ExplorationResult(trials: trials, isComplete: true, failure: nil)
  }

  /// Performs a trial.
  ///
  /// - Parameter title: The first sentence of the report if the trial fails.
  /// - Returns: The result if the exploration ends with this trial, and the orders that are left.
  private func attempt(
    _ number: Int, of limit: Int, _ chooser: EffectChooser, seed: UInt64?, shrinkingSeeds: Int,
    _ title: @autoclosure () -> String
  ) async -> (end: ExplorationResult?, orders: OrderSearch?) {
    let outcome = await trial.perform(chooser, script: steps)
    // A cancelled trial ends early, so its check sees the states in between.
    if Task.isCancelled { return (cancelled(after: number - 1, of: limit), nil) }
    guard let failure = outcome.failure else { return (nil, outcome.orders) }
    let report = await report(
      outcome, failure, seed: seed, shrinkingSeeds: shrinkingSeeds, title())
    return (ExplorationResult(trials: number, isComplete: false, failure: report), nil)
  }

  /// The result of an exploration whose task was cancelled.
  ///
  /// It is a failure, because the remaining orders were not tried.
  private func cancelled(after trials: Int, of limit: Int) -> ExplorationResult {
    ExplorationResult(
      trials: trials, isComplete: false,
      failure: InterleavingFailure(
        seed: nil, scriptLengths: nil,
        reason: """
          The task of the exploration was cancelled, for example at the time limit of the test. \
          Try fewer orders, or raise the time limit.
          """, steps: [], replay: nil,
        title: "The exploration was cancelled after \(trials) of at most \(limit) trials."))
  }

  private func report(
    _ outcome: Trial<State, Action, World>.Outcome,
    _ failure: Trial<State, Action, World>.Failure,
    seed: UInt64?,
    shrinkingSeeds: Int,
    _ title: String
  ) async -> InterleavingFailure {
    var found = Shrinking<State, Action, World>.Found(
      script: steps, choices: outcome.choices, failure: failure)
    if failure.canShrink {
      found = await Shrinking(
        trial: trial, seedsPerScript: min(shrinkingSeeds, 1000), search: options.search
      ).shrink(found)
    }
    let kept = Set(found.script?.map(\.offset) ?? [])
    let shortest = RepeatedTrial(
      order: TrialOrder(choices: found.choices),
      removed: steps?.map(\.offset).filter { !kept.contains($0) } ?? [])
    let trace = Trace()
    let last = await trial.perform(
      EffectChooser(repeating: shortest.order), script: found.script, trace: trace)
    if Task.isCancelled {
      return InterleavingFailure(
        seed: seed, scriptLengths: nil,
        reason: failure.reason + "\nThe test was cancelled before the script was shortened.",
        steps: [], replay: nil, title: title)
    }
    return InterleavingFailure(
      seed: seed,
      scriptLengths: found.script.flatMap { shrunk in
        script.map { ($0.steps.count, shrunk.count) }
      },
      reason: last.failure?.reason ?? """
        The trial failed once, and passed when it was repeated with the same choices. Something in \
        it is outside the test's control. The reason of the failure: \(found.failure.reason)
        """,
      steps: failure.shown(trace),
      // The choices of an endless trial are too many to read.
      replay: last.failure == nil || failure.isEndless ? nil : "\(shortest)", title: title)
  }
}
