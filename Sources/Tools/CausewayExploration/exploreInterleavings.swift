import CausewaySystem
private import Testing

#if compiler(>=6.3)
  /// Runs a closure many times in different orders of its tasks' steps, and fails the test for the first
  /// order that fails.
  ///
  /// ```swift
  /// @Test func `a picture is downloaded once`() async throws {
  ///   try await exploreInterleavings {
  ///     let pictures = Pictures()
  ///     async let first = pictures.picture(7)
  ///     async let second = pictures.picture(7)
  ///     _ = try await (first, second)
  ///     #expect(await pictures.downloads == 1)
  ///   }
  /// }
  /// ```
  ///
  /// The closure can use everything of Swift's concurrency, in the code of any package: tasks, groups,
  /// actors, the main actor, streams, continuations, cancellation and clocks. Each hop to or from an actor
  /// and each suspension is a place at which another task can run. The time is virtual: it passes
  /// when no task can run. Only one step runs at a time, on the thread of the caller.
  ///
  /// A trial fails if
  /// - the closure throws,
  /// - an assertion of Swift Testing or of XCTest fails in the closure or in a task that it has
  ///   made,
  /// - the closure waits for something that never happens,
  /// - a task has not ended when the closure has returned, or never ends.
  ///
  /// An assertion in `withKnownIssue` does not fail the trial. Assertions of XCTest are noticed
  /// only on Linux, and assertions of Swift Testing only in a test of Swift Testing.
  ///
  /// The orders without a switch from a task that could continue come first, then the orders with
  /// one switch, and then those with more. If there are too many orders, half of
  /// the budget is used for orders by priorities and for random orders.
  ///
  /// The failure is one issue at the line of the call; outside of a test of Swift Testing, it is thrown. It
  /// shows a table of the tasks and their steps, with as few switches as the search has found.
  ///
  /// - Parameters:
  ///   - trials: The maximum number of trials.
  ///   - limit: The real time after which no trial begins. A failure is then shortened for at most as
  ///     long again.
  ///   - durationsAreExact: Whether sleeping tasks wake in the order of their times. If not, a duration is
  ///     a lower bound, as on a busy machine: a task can wake later than a longer sleep.
  ///   - allowsUnfinishedTasks: Whether tasks may run or wait when the closure has returned.
  ///   - cancelsTasks: Whether a trial can cancel one of the tasks that the closure itself has
  ///     made, at any step. A `CancellationError` that the closure throws is then not a failure.
  ///     The parameter needs Linux.
  ///   - replay: The text of the order to repeat, which a failure shows. Default: the environment variable
  ///     `CAUSEWAY_REPLAY`, or a search.
  ///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - body: The code. It runs once for each trial.
  /// - Returns: The number of orders.
  /// - Throws: Outside of a test of Swift Testing, the failure with the table of the order. Also an
  ///   error with a readable message, if the text of the order to repeat is invalid, or if
  ///   `cancelsTasks` has no effect on this system.
  /// - Isolation: Blocks the thread of the caller.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  @discardableResult
  public func exploreInterleavings(
    trials: Int = .max, for limit: Duration = .seconds(2), durationsAreExact: Bool = true,
    allowsUnfinishedTasks: Bool = false, cancelsTasks: Bool = false,
    replaying replay: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    @_inheritActorContext _ body: @escaping @isolated(any) @Sendable () async throws -> Void
  ) async throws -> ExploredOrders {
    let settings = ExplorationSettings(
      trials: max(1, trials), limit: max(.microseconds(1), limit),
      hasLateTimers: !durationsAreExact,
      allowsUnfinishedTasks: allowsUnfinishedTasks, cancelsTasks: cancelsTasks)
    if cancelsTasks, !TaskMemory.isKnown { throw UnknownTasks() }
    let order = try ReplayedOrder.order(replay)
    let result = Exploration(settings) { try await body() }.run(replaying: order)
    guard let failure = result.failure else { return result }
    guard Test.current != nil else { throw failure }
    Issue.record(
      Comment(rawValue: "\(failure)"),
      sourceLocation: SourceLocation(
        fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column)))
    return result
  }

  /// Without the layout of the runtime's tasks, no task can be found and cancelled.
  private struct UnknownTasks: Error, CustomStringConvertible {
    var description: String {
      "cancelsTasks: true needs Linux and the runtime of Swift 6.3: elsewhere, it would find nothing"
    }
  }
#else
  /// Explores the orders of a closure; this needs the executors of Swift 6.3.
  @available(*, unavailable, message: "exploreInterleavings needs a compiler of Swift 6.3 or later")
  @discardableResult
  public func exploreInterleavings(
    trials: Int = .max, for limit: Duration = .seconds(2), durationsAreExact: Bool = true,
    allowsUnfinishedTasks: Bool = false, cancelsTasks: Bool = false,
    replaying replay: String? = nil, _ body: () async throws -> Void
  ) async throws -> ExploredOrders {
    ExploredOrders(trials: 0, isComplete: false, failure: nil)
  }
#endif
