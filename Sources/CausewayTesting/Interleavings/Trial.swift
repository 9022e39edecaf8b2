import Causeway

/// One exploration's subject: how to make a fresh trial, run it and judge it.
@MainActor
struct Trial<State: Sendable, Action: Sendable, World> {
  /// What came of one trial.
  struct Outcome {
    /// Why the trial failed; `nil` if it did not.
    let failure: String?
    let choices: [Chooser.Choice]
  }

  let makeWorld: @MainActor () throws -> World
  let makeInteractor: @MainActor (World) -> ResolvedInteractor<State, Action>
  let clock: @MainActor (World) -> TestClock
  let run: @MainActor (TrialModel<State, Action>, World) async throws -> Void
  let check: @MainActor (State, World) async throws -> Void
  /// Takes what the runtime reports; without it that is a failure of the trial.
  let onError: (@MainActor (RuntimeError) -> Void)?

  /// Runs one trial, of the given script or of the test's closure.
  func perform(
    _ chooser: Chooser,
    script: TrialScript<Action>? = nil,
    trace: Trace? = nil
  ) async -> Outcome {
    do {
      let world = try makeWorld()
      let model = TrialModel(
        makeInteractor(world), initialState: nil, clock: clock(world), chooser: chooser,
        trace: trace, onError: onError)
      var failure: String?
      do {
        if let script {
          for step in script.steps {
            switch step {
            case .send(let action): await model.send(action)
            case .wait(let duration): await model.clock.advance(by: duration)
            }
          }
        } else {
          // What the script itself waits for comes back in the order of the main actor.
          try await withTaskExecutorPreference(MainTurnExecutor.shared) {
            try await run(model, world)
          }
        }
      } catch {
        failure = "The script threw \(error)."
      }
      await model.settle()
      let finding = model.finding.map { "The runtime reports: \($0)" }
      if failure == nil { failure = await Verdict.of { try await check(model.state, world) } }
      let reasons = [failure, finding].compactMap { $0 }
      let choices = model.choices
      await model.close()
      return Outcome(
        failure: reasons.isEmpty ? nil : reasons.joined(separator: "\n"), choices: choices)
    } catch {
      return Outcome(failure: "The world could not be made: \(error).", choices: [])
    }
  }
}
