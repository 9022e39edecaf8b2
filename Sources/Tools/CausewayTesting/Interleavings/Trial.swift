import Causeway

/// Makes, runs and judges the trials of one exploration.
@MainActor
struct Trial<State: Sendable, Action: Sendable, World> {
  /// The outcome of one trial.
  struct Outcome {
    let failure: Failure?
    var choices: [Int] = []
    var order: [Turn] = []
    var orders: OrderSearch?
  }

  /// The reason of a trial's failure.
  struct Failure {
    let reason: String
    /// Whether the trial failed only because it shows nothing; see `allowsVacuousTrials`.
    var isVacuous = false
    /// Whether the effects took more steps than a trial may have.
    var isEndless = false

    /// Whether shorter trials may fail for the same reason, and take little time.
    var canShrink: Bool { !isVacuous && !isEndless }

    /// The steps that a report shows: the last ones if the trial does not end.
    @MainActor
    func shown(_ trace: Trace) -> [String] {
      isEndless ? trace.lines.suffix(30) : trace.lines
    }
  }

  /// A step of a script, with its index in the whole script.
  typealias ScriptStep = EnumeratedSequence<[TrialScript<Action>.Step]>.Element

  let makeWorld: @MainActor () throws -> World
  let makeInteractor: @MainActor (World) -> ResolvedInteractor<State, Action>
  /// The state that each trial starts with; `nil` for the interactor's initial value.
  let initialState: State?
  let clock: @MainActor (World) -> TestClock
  let run: @MainActor (TrialModel<State, Action>, World) async throws -> Void
  let check: @MainActor (State, World) async throws -> Void
  let options: ExplorationOptions

  /// Runs one trial, with a part of a script or with the test's closure.
  func perform(
    _ chooser: EffectChooser,
    script: [ScriptStep]? = nil,
    trace: Trace? = nil
  ) async -> Outcome {
    do {
      let world = try makeWorld()
      let model = TrialModel(
        makeInteractor(world), initialState: initialState, clock: clock(world), options: options,
        isScripted: script != nil, chooser: chooser, trace: trace)
      let reason = await reason(model, world, script)
      let finding = model.finding.map { "The runtime reports: \($0)" }
      let reasons = [reason, finding].compactMap { $0 }
      let vacuity =
        options.allowsVacuousTrials || Task.isCancelled ? nil : await model.vacuity()
      let isEndless = model.endlessness != nil
      let made = model.endChoices()
      await model.close()
      let failure: Failure? =
        if !reasons.isEmpty {
          Failure(reason: reasons.joined(separator: "\n"), isEndless: isEndless)
        } else {
          vacuity.map { Failure(reason: Self.describe(vacuity: $0), isVacuous: true) }
        }
      return Outcome(
        failure: failure, choices: made.choices, order: made.order, orders: made.orders)
    } catch {
      return Outcome(failure: Failure(reason: "The world could not be made: \(error)."))
    }
  }

  /// Runs everything that can run, and returns the reason of a failure.
  private func reason(
    _ model: TrialModel<State, Action>, _ world: World, _ script: [ScriptStep]?
  ) async -> String? {
    do {
      if let script {
        for step in script {
          switch step.element {
          case .send(let action): await model.send(action, index: step.offset)
          case .wait(let duration): await model.clock.advance(by: duration)
          }
        }
      } else {
        try await model.untilStarvation { try await run(model, world) }
      }
    } catch {
      await model.settle()
      return "The script threw \(error)."
    }
    await model.settle()
    if let endlessness = describe(endlessnessOf: model) { return endlessness }
    let verdict = await Verdict.of {
      try await model.untilStarvation { try await check(model.state, world) }
    }
    // The check may have waited for an endless effect.
    return describe(endlessnessOf: model) ?? verdict
  }

  private func describe(endlessnessOf model: TrialModel<State, Action>) -> String? {
    model.endlessness.map {
      """
      The trial did not end within \(options.stepLimit) steps. \($0)
      Let the effects wait for something, such as the test clock. If the trial is only long, \
      raise the option stepLimit.
      """
    }
  }

  private static func describe(vacuity: String) -> String {
    """
    The trial is vacuous. \(vacuity)
    Let the effects continue: advance the clock with .wait(…) in a script or with the option \
    .timePasses(upTo:), or let the doubles return. Effects that wait for ever should be \
    observations. If such a trial is intended, set the option allowsVacuousTrials.
    """
  }
}
