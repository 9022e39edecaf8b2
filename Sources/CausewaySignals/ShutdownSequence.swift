import Synchronization

/// Closes what a program has opened, the last part first.
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
/// Isolation: may be used from anywhere.
public final class ShutdownSequence: Sendable {
  /// Closes one part; runs off the caller's actor.
  public typealias Step = @concurrent @Sendable () async throws -> Void

  /// A step that failed.
  public struct Failure: Error, CustomStringConvertible {
    /// The step's name.
    public let name: String
    /// What the step threw.
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

  /// Adds a step, which runs before those that were added earlier.
  ///
  /// Add it as soon as the part is open. A step that is added while the sequence runs becomes the
  /// next one; after that it waits for the next call of ``run()``.
  ///
  /// - Parameters:
  ///   - name: What a failure calls the step.
  ///   - close: Closes the part.
  public func add(_ name: String, _ close: @escaping Step) {
    state.withLock { $0.steps.append((name, close)) }
  }

  /// Runs the steps in the opposite order in which they were added, one after the other.
  ///
  /// A failure does not stop the steps after it. The sequence runs to its end if the calling task
  /// is cancelled. Calls at the same time share one run. Each step runs once.
  ///
  /// - Returns: The failures, in the order of the steps; empty if everything was closed.
  @discardableResult
  public func run() async -> [Failure] {
    let running = state.withLock { state in
      if let running = state.running { return running }
      // A task of its own: closing must not be cut short by the cancellation that asks for it.
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

  /// Takes the last step; ends the run in the same moment as it finds none.
  private func nextStep() -> (name: String, close: Step)? {
    state.withLock { state in
      let step = state.steps.popLast()
      if step == nil { state.running = nil }
      return step
    }
  }
}
