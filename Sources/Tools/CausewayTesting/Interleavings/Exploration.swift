import Causeway

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
      if let seed = options.seed {
        await sample(seed...seed)
      } else if options.search == .everyOrder {
        await enumerate(limit: trials)
      } else {
        await sample(0...UInt64(trials - 1))
      }
    if let failure = result.failure { options.reporter.report("\(failure)", location) }
    return result
  }

  /// Tries the given seeds.
  private func sample(_ seeds: ClosedRange<UInt64>) async -> ExplorationResult {
    for (index, seed) in seeds.enumerated() {
      if Task.isCancelled { return cancelled(after: index, of: seeds.count) }
      let (end, _) = await attempt(
        index + 1, of: seeds.count, Chooser(seed: seed, search: options.search), seed: seed,
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
        trials, of: limit, Chooser(enumerating: orders), seed: nil, shrinkingSeeds: 50,
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
    _ number: Int, of limit: Int, _ chooser: Chooser, seed: UInt64?, shrinkingSeeds: Int,
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
          """, steps: [],
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
      script: steps, choices: outcome.choices.map(\.taken), failure: failure)
    if failure.canShrink {
      found = await Shrinking(
        trial: trial, seedsPerScript: min(shrinkingSeeds, 1000), search: options.search
      ).shrink(found)
    }
    let trace = Trace()
    let last = await trial.perform(
      Chooser(choices: found.choices), script: found.script, trace: trace)
    if Task.isCancelled {
      return InterleavingFailure(
        seed: seed, scriptLengths: nil,
        reason: failure.reason + "\nThe test was cancelled before the script was shortened.",
        steps: [], title: title)
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
      steps: failure.isEndless ? trace.lines.suffix(30) : trace.lines, title: title)
  }
}
