#if compiler(>=6.3)
  /// Runs operations on an object in a few concurrent tasks, and compares the results with a
  /// sequential model.
  ///
  /// ```swift
  /// try await exploreOperations(
  ///   [Step.add, .read],
  ///   model: SequentialModel<Int, Step, Int>(0) { sum, step in
  ///     if step == .add { sum += 1 }
  ///     return sum
  ///   },
  ///   on: { Total() }
  /// ) { total, step in
  ///   step == .add ? await total.add() : await total.value
  /// }
  /// ```
  ///
  /// Each task performs some of the operations, one after the other; the search chooses the
  /// operations and the order of the tasks. A trial fails if no order of the operations, each
  /// between its call and its return, explains all results: the object is not linearizable. It also
  /// fails for the reasons of
  /// ``exploreInterleavings(trials:for:durationsAreExact:allowsUnfinishedTasks:cancelsTasks:replaying:fileID:filePath:line:column:_:)``,
  /// except tasks that have not ended.
  ///
  /// If all tasks wait for ever, the trial fails unless the model says that their operations wait
  /// in the last state. So a lost wake-up is a failure, and a wait for a semaphore without permits
  /// is not.
  ///
  /// - Parameters:
  ///   - operations: The operations, the simplest first.
  ///   - tasks: The number of tasks.
  ///   - count: The number of operations of each task.
  ///   - limit: The real time after which no trial begins. A failure is then shortened for at most as
  ///     long again.
  ///   - replay: The text of the order to repeat, which a failure shows.
  ///   - model: Returns the results of operations that run one after the other.
  ///   - fileID: The file of the call, where failures are shown; leave it to the compiler.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - make: Makes the object, once for each trial.
  ///   - perform: Performs an operation on the object.
  /// - Returns: The number of orders.
  /// - Throws: The failure, with the table of the order, outside of a test of Swift Testing.
  /// - Isolation: Blocks the thread of the caller.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  @discardableResult
  public func exploreOperations<
    Object: Sendable, Input: Sendable, Output: Sendable & Equatable, State
  >(
    _ operations: [Input], tasks: Int = 2, each count: Int = 2, for limit: Duration = .seconds(2),
    replaying replay: String? = nil, model: SequentialModel<State, Input, Output>,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    on make: @escaping @Sendable () async throws -> Object,
    perform: @escaping @Sendable (Object, Input) async throws -> Output
  ) async throws -> ExploredOrders {
    precondition(!operations.isEmpty, "There are no operations to perform")
    return try await exploreInterleavings(
      for: limit, allowsUnfinishedTasks: true, replaying: replay, fileID: fileID,
      filePath: filePath, line: line, column: column
    ) {
      try await runOperations(operations, tasks, count, model, make, perform)
    }
  }

  /// The code of one trial.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  func runOperations<
    Object: Sendable, Input: Sendable, Output: Sendable & Equatable, State
  >(
    _ operations: [Input], _ tasks: Int, _ count: Int,
    _ model: SequentialModel<State, Input, Output>,
    _ make: @Sendable () async throws -> Object,
    _ perform: @escaping @Sendable (Object, Input) async throws -> Output
  ) async throws {
    let object = try await make()
    let history = OperationHistory<Input, Output>()
    Scheduler.ofThread?.explainWaiting = {
      if history.explainsWaiting(model) { return nil }
      return "\(UnexplainedHistory(text: "\(history)", waits: true))"
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<max(1, tasks) {
        let own = (0..<max(1, count)).map { _ in
          operations[Scheduler.ofThread?.chooseNumber(below: operations.count) ?? 0]
        }
        group.addTask {
          for operation in own {
            _ = try await history.record(operation) { try await perform(object, operation) }
          }
        }
      }
      try await group.waitForAll()
    }
    guard history.isLinearizable(model) else {
      throw UnexplainedHistory(text: "\(history)", waits: false)
    }
  }
#else
  /// Explores operations of concurrent tasks; this needs the executors of Swift 6.3.
  @available(*, unavailable, message: "exploreOperations needs a compiler of Swift 6.3 or later")
  @discardableResult
  public func exploreOperations<
    Object: Sendable, Input: Sendable, Output: Sendable & Equatable, State
  >(
    _ operations: [Input], tasks: Int = 2, each count: Int = 2, for limit: Duration = .seconds(2),
    replaying replay: String? = nil, model: SequentialModel<State, Input, Output>,
    on make: @escaping @Sendable () async throws -> Object,
    perform: @escaping @Sendable (Object, Input) async throws -> Output
  ) async throws -> ExploredOrders {
    ExploredOrders(trials: 0, isComplete: false, failure: nil)
  }
#endif
