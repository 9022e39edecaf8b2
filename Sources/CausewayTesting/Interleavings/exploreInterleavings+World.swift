public import Causeway

/// Runs a test many times, with doubles that are made afresh for each trial, and the steps of the
/// effects in another order each time; reports the first order that fails.
///
/// ```swift
/// await exploreInterleavings(in: { Server() }, of: { Shop(server: $0) }) { model, server in
///   await model.send(.buy)
///   await model.send(.buy)
/// } check: { state, server in
///   #expect(server.orders.count == 2)
/// }
/// ```
///
/// Isolation: the main actor.
///
/// - Parameters:
///   - makeWorld: Makes what the interactor depends on; called for each trial.
///   - makeInteractor: Makes the interactor from it.
///   - clock: The test clock in it, if there is one.
///   - trials: How many orders to try; seed 0, 1, 2 and so on.
///   - seed: Replays one trial instead.
///   - everyOrder: Tries every order there is, but at most `trials`, instead of a sample. Only
///     for small cases: the number of orders grows exponentially.
///   - reporter: Where the failure goes. Default: to the running test.
///   - onError: Takes errors that no effect catches, and misuse found at run time; also of the
///     repetitions that make a failing trial shorter. Without it the first of them is a failure of
///     its trial; an action for a child that is not there any more is none.
///   - run: The test; fresh for each trial.
///   - check: Called with the last state of each trial and with its world. What it throws is a
///     failure, and so is in Swift Testing an `#expect` that does not hold.
///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
/// - Returns: What was found, which has been reported already.
@MainActor
@discardableResult
public func exploreInterleavings<I: Interactor, World>(
  in makeWorld: @escaping @MainActor () throws -> World,
  of makeInteractor: @escaping @MainActor (World) -> I,
  clock: @escaping @MainActor (World) -> TestClock = { _ in TestClock() },
  trials: Int = 1_000,
  seed: UInt64? = nil,
  everyOrder: Bool = false,
  reporter: FailureReporter = .automatic,
  onError: (@MainActor (RuntimeError) -> Void)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  run: @escaping @MainActor (TrialModel<I.State, I.Action>, World) async throws -> Void,
  check: @escaping @MainActor (I.State, World) throws -> Void
) async -> ExplorationResult {
  await Exploration(
    trial: Trial(
      makeWorld: makeWorld, makeInteractor: { makeInteractor($0).resolve() }, clock: clock,
      script: run,
      check: { state, world in Verdict.of { try check(state, world) } }, onError: onError),
    actions: nil
  )
  .run(
    trials, seed, everyOrder, reporter,
    TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Sends a script of actions many times, with doubles that are made afresh for each trial, and
/// reports the first order of steps that fails, with the script made as short as it gets.
///
/// Isolation: the main actor.
///
/// - Parameters:
///   - makeWorld: Makes what the interactor depends on; called for each trial.
///   - makeInteractor: Makes the interactor from it.
///   - clock: The test clock in it, if there is one.
///   - script: The actions. The check has to make sense for shorter scripts too.
///   - trials: How many orders to try; seed 0, 1, 2 and so on.
///   - seed: Replays one trial instead.
///   - everyOrder: Tries every order there is, but at most `trials`, instead of a sample. Only
///     for small cases: the number of orders grows exponentially.
///   - reporter: Where the failure goes. Default: to the running test.
///   - onError: Takes errors that no effect catches, and misuse found at run time; also of the
///     repetitions that make a failing trial shorter. Without it the first of them is a failure of
///     its trial; an action for a child that is not there any more is none.
///   - check: Called with the last state of each trial and with its world. What it throws is a
///     failure, and so is in Swift Testing an `#expect` that does not hold.
///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
/// - Returns: What was found, which has been reported already.
@MainActor
@discardableResult
public func exploreInterleavings<I: Interactor, World>(
  in makeWorld: @escaping @MainActor () throws -> World,
  of makeInteractor: @escaping @MainActor (World) -> I,
  clock: @escaping @MainActor (World) -> TestClock = { _ in TestClock() },
  script: [I.Action],
  trials: Int = 1_000,
  seed: UInt64? = nil,
  everyOrder: Bool = false,
  reporter: FailureReporter = .automatic,
  onError: (@MainActor (RuntimeError) -> Void)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  check: @escaping @MainActor (I.State, World) throws -> Void
) async -> ExplorationResult {
  await Exploration(
    trial: Trial(
      makeWorld: makeWorld, makeInteractor: { makeInteractor($0).resolve() }, clock: clock,
      script: { _, _ in },
      check: { state, world in Verdict.of { try check(state, world) } }, onError: onError),
    actions: script
  )
  .run(
    trials, seed, everyOrder, reporter,
    TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}
