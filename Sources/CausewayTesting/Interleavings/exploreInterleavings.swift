public import Causeway

/// Runs a test many times, with the steps of its effects in another order each time, and reports
/// the first order that fails.
///
/// ```swift
/// await exploreInterleavings(of: SearchInteractor(api: api), trials: 1_000) { model in
///   await model.send(.search("a"))
///   await model.send(.search("ab"))
/// } check: { state in
///   #expect(state.results == ["ab guide"])
/// }
/// ```
///
/// The order is that of the effects' steps from one suspension to the next, of what they send and
/// of the test's actions. The report lists the steps of a failing order that was made as plain as
/// it gets, and the seed that makes it again.
///
/// Isolation: the main actor.
///
/// - Parameters:
///   - interactor: Evaluated for each trial, so what is made here is fresh each time.
///   - trials: How many orders to try; seed 0, 1, 2 and so on.
///   - seed: Replays one trial instead.
///   - everyOrder: Tries every order there is, but at most `trials`, instead of a sample. Only
///     for small cases: the number of orders grows exponentially.
///   - reporter: Where the failure goes. Default: to the running test.
///   - onError: Takes errors that no effect catches, and misuse found at run time; also of the
///     repetitions that make a failing trial shorter. Without it the first of them is a failure of
///     its trial; an action for a child that is not there any more is none.
///   - run: The test; fresh for each trial.
///   - check: Called with the last state of each trial, when nothing can go on without more time
///     or input. What it throws is a failure, and so is in Swift Testing an `#expect` that does
///     not hold.
///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
/// - Returns: What was found, which has been reported already.
@MainActor
@discardableResult
public func exploreInterleavings<I: Interactor>(
  of interactor: @autoclosure @escaping @MainActor () -> I,
  trials: Int = 1_000,
  seed: UInt64? = nil,
  everyOrder: Bool = false,
  reporter: FailureReporter = .automatic,
  onError: (@MainActor (RuntimeError) -> Void)? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  run: @escaping @MainActor (TrialModel<I.State, I.Action>) async throws -> Void,
  check: @escaping @MainActor (I.State) throws -> Void
) async -> ExplorationResult {
  await exploreInterleavings(
    in: {}, of: { interactor() }, trials: trials, seed: seed, everyOrder: everyOrder,
    reporter: reporter, onError: onError, fileID: fileID, filePath: filePath, line: line,
    column: column
  ) { model, _ in
    try await run(model)
  } check: { state, _ in
    try check(state)
  }
}

/// Sends a script of actions many times, with the steps of the effects in another order each time,
/// and reports the first order that fails, with the script made as short as it gets.
///
/// ```swift
/// await exploreInterleavings(
///   of: Cart(), script: Array(repeating: .add, count: 8)
/// ) { state in
///   #expect(state.added == state.items.count)
/// }
/// ```
///
/// Isolation: the main actor.
///
/// - Parameters:
///   - interactor: Evaluated for each trial, so what is made here is fresh each time.
///   - script: The actions. The check has to make sense for shorter scripts too.
///   - trials: How many orders to try; seed 0, 1, 2 and so on.
///   - seed: Replays one trial instead.
///   - everyOrder: Tries every order there is, but at most `trials`, instead of a sample. Only
///     for small cases: the number of orders grows exponentially.
///   - reporter: Where the failure goes. Default: to the running test.
///   - onError: Takes errors that no effect catches, and misuse found at run time; also of the
///     repetitions that make a failing trial shorter. Without it the first of them is a failure of
///     its trial; an action for a child that is not there any more is none.
///   - check: Called with the last state of each trial, when nothing can go on without more time
///     or input. What it throws is a failure, and so is in Swift Testing an `#expect` that does
///     not hold.
///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
/// - Returns: What was found, which has been reported already.
@MainActor
@discardableResult
public func exploreInterleavings<I: Interactor>(
  of interactor: @autoclosure @escaping @MainActor () -> I,
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
  check: @escaping @MainActor (I.State) throws -> Void
) async -> ExplorationResult {
  await exploreInterleavings(
    in: {}, of: { interactor() }, script: script, trials: trials, seed: seed,
    everyOrder: everyOrder, reporter: reporter, onError: onError, fileID: fileID,
    filePath: filePath, line: line, column: column
  ) { state, _ in
    try check(state)
  }
}
