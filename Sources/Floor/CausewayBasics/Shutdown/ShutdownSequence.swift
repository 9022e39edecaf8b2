import Synchronization

/// Closes the parts of a program in the reverse order of their opening.
///
/// ```swift
/// let shutdown = ShutdownSequence()
/// let store = try await SQLiteService(path: path, migrations: migrations)
/// shutdown.add("database") { try await store.close() }
/// let address = try await server.start()
/// shutdown.add("server") { await server.stop() }
/// for await _ in ShutdownSignal.received() { break }
/// let failures = await shutdown.run()  // the server, then the database
/// ```
///
/// Isolation: any code may use it.
public final class ShutdownSequence: Sendable {
  /// Closes one part.
  ///
  /// It runs off the caller's actor.
  public typealias Step = @concurrent @Sendable () async throws -> Void

  /// A step that failed.
  public struct Failure: Error, CustomStringConvertible {
    /// The step's name.
    public let name: String
    /// The error that the step threw.
    public let error: any Error

    /// The step's name and its error.
    public var description: String { "\(name) was not closed properly: \(error)" }
  }

  private struct State {
    var steps: [(name: String, close: Step)] = []
    var running: Task<[Failure], Never>?
  }

  private let state = Mutex(State())

  /// Makes a sequence without steps.
  public init() {}

  /// Adds a step, which runs before the steps that were added earlier.
  ///
  /// Add the step as soon as the part is open. If the sequence is running, the added step runs
  /// next. If the sequence has ended, the added step runs at the next call of ``run()``.
  ///
  /// - Parameters:
  ///   - name: The name of the step in a ``Failure``.
  ///   - close: Closes the part.
  public func add(_ name: String, _ close: @escaping Step) {
    state.withLock { $0.steps.append((name, close)) }
  }

  /// Runs the steps one after the other, the last added step first.
  ///
  /// After a failure, the sequence continues with the next step. It runs to its end even if the
  /// calling task is cancelled. Concurrent calls share one run. Each step runs once.
  ///
  /// - Returns: The failures, in the order of the steps. The array is empty if every step
  ///   succeeded.
  @discardableResult
  public func run() async -> [Failure] {
    let running = state.withLock { state in
      if let running = state.running { return running }
      // The steps run in a separate task, which does not inherit the caller's cancellation.
      let running = Task { await self.runSteps() }
      state.running = running
      return running
    }
    return await running.value
  }

  @concurrent private func runSteps() async -> [Failure] {
    var failures: [Failure] = []
    while let step = nextStep() {
      do {
        try await step.close()
      } catch {
        failures.append(Failure(name: step.name, error: error))
      }
    }
    return failures
  }

  /// Removes and returns the last step.
  ///
  /// If there is no step, this function ends the run under the same lock.
  private func nextStep() -> (name: String, close: Step)? {
    state.withLock { state in
      let step = state.steps.popLast()
      if step == nil { state.running = nil }
      return step
    }
  }
}
