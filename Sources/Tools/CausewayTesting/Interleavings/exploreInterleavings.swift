public import Causeway

/// Runs a test many times in different orders of effect steps, and reports the first failure.
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
/// An order consists of the effects' steps between two suspensions, of their sends and of the
/// test's actions. The report contains the seed of the failing trial, and its steps in the simplest
/// order that still fails.
///
/// In a trial, each effect has its own task. In an app, a debounced effect may run in the task
/// of the sleeping effect that it replaces. The start times are the same; the task-local values may
/// differ.
///
/// There are three more forms. The form without `in:` is for an interactor that needs no external
/// doubles. With `script:` in place of `run:`, the test is a list of actions, which the report also
/// shortens.
///
/// Isolation: the main actor.
///
/// - Parameters:
///   - makeWorld: Makes the doubles that the interactor depends on; called for each trial.
///   - makeInteractor: Makes the interactor from the doubles; called for each trial.
///   - initialState: The state that each trial starts with. Default: the interactor's initial value.
///   - clock: The test clock of the doubles. Default: a new clock.
///   - trials: The number of orders to try.
///   - options: How to search for orders, and where to report a failure.
///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - run: The test.
///   - check: Called with the last state of each trial, when nothing can continue without more time
///     or input. It may await an actor to read the actor's state. An error that it throws is a
///     failure. In Swift Testing, an `#expect` that does not hold is a failure too.
/// - Returns: The result. A failure has been reported already.
@MainActor
@discardableResult
public func exploreInterleavings<I: Interactor, World>(
  in makeWorld: @escaping @MainActor () throws -> World,
  of makeInteractor: @escaping @MainActor (World) -> I,
  initialState: I.State? = nil,
  clock: @escaping @MainActor (World) -> TestClock = { _ in TestClock() },
  trials: Int = 1_000,
  options: ExplorationOptions = ExplorationOptions(),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  run: @escaping @MainActor (TrialModel<I.State, I.Action>, World) async throws -> Void,
  check: @escaping @MainActor (I.State, World) async throws -> Void
) async -> ExplorationResult {
  await Exploration(
    trial: Trial(
      makeWorld: makeWorld, makeInteractor: { makeInteractor($0).resolve() },
      initialState: initialState, clock: clock, run: run, check: check, options: options),
    script: nil, trials: trials,
    location: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  ).run()
}

/// Runs a script many times, with doubles that are made for each trial.
///
/// See ``exploreInterleavings(in:of:initialState:clock:trials:options:fileID:filePath:line:column:run:check:)``.
///
/// `script` contains the actions. The check must also hold for shorter scripts.
@MainActor
@discardableResult
public func exploreInterleavings<I: Interactor, World>(
  in makeWorld: @escaping @MainActor () throws -> World,
  of makeInteractor: @escaping @MainActor (World) -> I,
  initialState: I.State? = nil,
  clock: @escaping @MainActor (World) -> TestClock = { _ in TestClock() },
  script: TrialScript<I.Action>,
  trials: Int = 1_000,
  options: ExplorationOptions = ExplorationOptions(),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  check: @escaping @MainActor (I.State, World) async throws -> Void
) async -> ExplorationResult {
  await Exploration(
    trial: Trial(
      makeWorld: makeWorld, makeInteractor: { makeInteractor($0).resolve() },
      initialState: initialState, clock: clock, run: { _, _ in }, check: check, options: options),
    script: script, trials: trials,
    location: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  ).run()
}

/// Runs a test many times, without external doubles.
///
/// See ``exploreInterleavings(in:of:initialState:clock:trials:options:fileID:filePath:line:column:run:check:)``.
///
/// ```swift
/// await exploreInterleavings(of: SearchInteractor(api: api)) { model in
///   await model.send(.search("a"))
///   await model.send(.search("ab"))
/// } check: { state in
///   #expect(state.results == ["ab guide"])
/// }
/// ```
///
/// `interactor` is evaluated for each trial.
@MainActor
@discardableResult
public func exploreInterleavings<I: Interactor>(
  of interactor: @autoclosure @escaping @MainActor () -> I,
  initialState: I.State? = nil,
  trials: Int = 1_000,
  options: ExplorationOptions = ExplorationOptions(),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  run: @escaping @MainActor (TrialModel<I.State, I.Action>) async throws -> Void,
  check: @escaping @MainActor (I.State) async throws -> Void
) async -> ExplorationResult {
  await exploreInterleavings(
    in: {}, of: { interactor() }, initialState: initialState, trials: trials, options: options,
    fileID: fileID, filePath: filePath, line: line, column: column,
    run: { model, _ in try await run(model) }, check: { state, _ in try await check(state) })
}

/// Runs a script many times, without external doubles.
///
/// See ``exploreInterleavings(in:of:initialState:clock:trials:options:fileID:filePath:line:column:run:check:)``.
///
/// ```swift
/// await exploreInterleavings(of: Cart(), script: [.add, .add, .remove]) { state in
///   #expect(state.added == state.items.count)
/// }
/// ```
///
/// `interactor` is evaluated for each trial. `script` contains the actions. The check must also hold
/// for shorter scripts.
@MainActor
@discardableResult
public func exploreInterleavings<I: Interactor>(
  of interactor: @autoclosure @escaping @MainActor () -> I,
  initialState: I.State? = nil,
  script: TrialScript<I.Action>,
  trials: Int = 1_000,
  options: ExplorationOptions = ExplorationOptions(),
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  check: @escaping @MainActor (I.State) async throws -> Void
) async -> ExplorationResult {
  await exploreInterleavings(
    in: {}, of: { interactor() }, initialState: initialState, script: script, trials: trials,
    options: options, fileID: fileID, filePath: filePath, line: line, column: column,
    check: { state, _ in try await check(state) })
}
