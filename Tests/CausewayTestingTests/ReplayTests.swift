import Causeway
import CausewaySystem
import Testing

@testable import CausewayTesting

/// Searches, and shows the answer that arrives last.
private struct Finder: Interactor {
  struct State: Sendable, Equatable {
    var query = ""
    var result = ""
  }

  var clock: TestClock?

  var body: some Interactor<State, String> {
    Interact(initialValue: State()) { [clock] state, query in
      state.query = query
      return .perform(id: "find") { send in
        try? await clock?.sleep(for: .seconds(1))
        await suspensionPoint()
        await send { $0.result = query }
      }
    }
  }
}

@MainActor
@Suite("Replays of single trials", .timeLimit(.minutes(10)))
struct ReplayTests {
  private func options(
    _ search: ExplorationOptions.Search = .mixed, _ sharing: ExplorationOptions.Sharing = .anything,
    time: ExplorationOptions.Time = .standsStill
  ) -> ExplorationOptions {
    ExplorationOptions(
      search: search, sharing: sharing, time: time, reporter: FailureReporter { _, _ in })
  }

  /// Explores, and repeats the failure by its text.
  ///
  /// - Returns: The failure, and the result of the repetition.
  private func repeated(
    _ options: ExplorationOptions,
    _ explore: (ExplorationOptions) async -> ExplorationResult
  ) async throws -> (InterleavingFailure, again: ExplorationResult) {
    let failure = try #require(await explore(options).failure)
    var options = options
    let text: String = try #require(failure.replay, "\(failure)")
    options.replay = text
    return (failure, await explore(options))
  }

  @Test(arguments: [
    ExplorationOptions.Search.mixed, .uniform, .priorities, .everyOrder,
  ])
  func `the text of a failure repeats its shortest trial alone`(
    search: ExplorationOptions.Search
  ) async throws {
    let (failure, again) = try await repeated(options(search)) { options in
      await exploreInterleavings(of: Finder(), script: ["a", "b", "c"], options: options) {
        #expect($0.result == $0.query)
      }
    }
    #expect(failure.scriptLengths?.shrunk == 2)
    #expect(again.trials == 1)
    #expect(again.failure?.steps == failure.steps)
    #expect(again.failure?.reason == failure.reason)
    #expect(again.failure?.scriptLengths?.shrunk == 2)
    #expect(again.failure?.replay == failure.replay)
    #expect("\(failure)".contains("CAUSEWAY_REPLAY=\(failure.replay ?? "-")\n"))
  }

  @Test func `a trial of an enumeration with shared state is repeated with the same options`()
    async throws
  {
    let (failure, again) = try await repeated(options(.everyOrder, .state)) { options in
      await exploreInterleavings(of: Finder(), script: ["a", "b"], options: options) {
        #expect($0.result == $0.query)
      }
    }
    #expect(again.failure?.steps == failure.steps)
  }

  @Test(arguments: [ExplorationOptions.Search.mixed, .everyOrder])
  func `a trial in which the time passes is repeated`(search: ExplorationOptions.Search)
    async throws
  {
    let (failure, again) = try await repeated(
      options(search, time: .passes(upTo: .seconds(5)))
    ) { options in
      await exploreInterleavings(
        in: { TestClock() }, of: { Finder(clock: $0) }, clock: { $0 }, script: ["a", "b"],
        options: options
      ) { state, _ in
        #expect(state.result == state.query)
      }
    }
    #expect(again.failure?.steps == failure.steps)
  }

  @Test func `a test without a script is repeated`() async throws {
    let (failure, again) = try await repeated(options()) { options in
      await exploreInterleavings(of: Finder(), options: options) { model in
        await model.send("a")
        await model.send("b")
      } check: {
        #expect($0.result == $0.query)
      }
    }
    #expect(again.trials == 1)
    #expect(again.failure?.steps == failure.steps)
  }

  @Test func `a trial that passes when it is repeated has no failure`() async {
    var options = options()
    options.replay = "0"
    let result = await exploreInterleavings(of: Finder(), script: ["a", "b"], options: options) {
      #expect($0.result == $0.query)
    }
    #expect(result.trials == 1)
    #expect(result.failure == nil)
  }

  @Test(arguments: ["", "x", "4.0", "0/", "0/2", "0/1,1", "0/1,0", "0/-1", "0/0/1"])
  func `a text that is no trial of the script fails the test`(text: String) async {
    var options = options()
    options.replay = text
    let result = await exploreInterleavings(of: Finder(), script: ["a", "b"], options: options) {
      _ in
    }
    #expect(result.trials == 0)
    #expect(result.failure?.reason.contains("\"\(text)\" is not the text of a trial") == true)
  }

  @Test(arguments: ["0", "4.1-9.2", "0/0", "4.1/0,2,17", "u17", "p17.40/1"])
  func `the text of a trial is read as the same trial`(text: String) throws {
    #expect(try #require(RepeatedTrial(text)).description == text)
  }

  @Test(arguments: ["u17", "p17.40"])
  func `the search of a text is repeatable`(text: String) async {
    var steps: Set<[String]> = []
    var options = options()
    options.replay = text
    for _ in 0..<3 {
      let result = await exploreInterleavings(
        of: Finder(), script: ["a", "b", "c"], options: options
      ) { _ in Issue.record("to see the steps") }
      steps.insert(result.failure?.steps ?? [])
    }
    #expect(steps.count == 1)
    #expect(steps.first?.isEmpty == false)
  }
}
