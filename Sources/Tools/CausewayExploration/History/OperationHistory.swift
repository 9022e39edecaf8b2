/// The operations of clients on a shared object, in the order of their calls and returns.
///
/// ```swift
/// let history = OperationHistory<Command, Int?>()
/// // … in several tasks:
/// try await history.record(.read) { try await register.value(for: read) }
/// // … at the end:
/// #expect(history.isLinearizable(model), "\(history)")
/// ```
///
/// Make the history in the closure that is explored, or that builds a simulated world. Each trial then has
/// its own history. ``exploreOperations(_:tasks:each:for:replaying:model:fileID:filePath:line:column:on:perform:)``
/// does all of this for a small object.
public final class OperationHistory<Input: Sendable, Output: Sendable>: Sendable {
  typealias Operation = CallLog<Input, Output>.Call

  private let log = CallLog<Input, Output>()

  /// Makes an empty history.
  public init() {}

  /// Performs an operation and records it.
  ///
  /// If the operation throws, its outcome is unknown: it may have taken effect, may take effect
  /// later, or may never take effect. The outcome of an operation that a crash interrupts is also
  /// unknown.
  ///
  /// - Parameters:
  ///   - input: A description of the operation, for the model.
  ///   - operation: Performs the operation.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  public func record(
    _ input: Input, _ operation: () async throws -> Output
  ) async rethrows -> Output {
    let index = log.begin(input)
    let output = try await operation()
    log.end(index, output)
    return output
  }

  var operations: [Operation] { log.calls }

  /// Whether the operations that have returned are linearizable, and the model lets all other
  /// operations wait in the resulting state.
  func explainsWaiting<State>(_ model: SequentialModel<State, Input, Output>) -> Bool
  where Output: Equatable {
    LinearizationSearch(model: model, operations: operations, areOthersWaiting: true).succeeds()
  }

  /// Whether each operation can have taken effect at one moment between its call and its return.
  ///
  /// The algorithm is the just-in-time linearization of G. Lowe, "Testing for Linearizability",
  /// Concurrency and Computation 2017, which follows the definition of M. Herlihy and J. Wing,
  /// "Linearizability", TOPLAS 1990.
  ///
  /// - Parameter model: A sequential model of the object.
  /// - Complexity: In the worst case exponential in the number of concurrent operations.
  public func isLinearizable<State>(_ model: SequentialModel<State, Input, Output>) -> Bool
  where Output: Equatable {
    LinearizationSearch(model: model, operations: operations).succeeds()
  }

  /// Whether the operations on each of several independent objects are linearizable.
  ///
  /// A history is linearizable exactly if the history of each object is linearizable. The search is
  /// then much faster than a search for one order of all objects (A. Horn and D. Kroening, "Faster
  /// Linearizability Checking via P-Compositionality", FORTE 2015).
  ///
  /// - Parameters:
  ///   - model: A sequential model of each object.
  ///   - object: The object of an operation.
  /// - Complexity: In the worst case exponential in the number of concurrent operations on an object.
  public func isLinearizable<State>(
    _ model: SequentialModel<State, Input, Output>, by object: (Input) -> some Hashable
  ) -> Bool where Output: Equatable {
    Dictionary(grouping: operations) { object($0.input) }.values.allSatisfy { operations in
      LinearizationSearch(model: model, operations: operations).succeeds()
    }
  }
}

extension OperationHistory: CustomStringConvertible {
  /// One line for each operation.
  public var description: String {
    operations.map { operation in
      let end = operation.end.map { "\($0)" } ?? "…"
      let output = operation.output.map { "\($0)" } ?? "unknown"
      return "\(operation.begin)–\(end)  \(operation.input) → \(output)"
    }.joined(separator: "\n")
  }
}

/// The sequential model of an object, which a history is compared with.
public struct SequentialModel<State: Hashable & Sendable, Input, Output: Equatable>: Sendable {
  let initial: State
  let waits: @Sendable (State, Input) -> Bool
  let apply: @Sendable (inout State, Input) -> Output

  /// Makes a model.
  ///
  /// - Parameters:
  ///   - initial: The first state.
  ///   - waits: Whether an operation waits in a state, as a semaphore without permits lets its caller
  ///     wait. Default: no operation waits.
  ///   - apply: Changes the state for an operation that does not wait, and returns the result.
  public init(
    _ initial: State,
    waits: @escaping @Sendable (State, Input) -> Bool = { _, _ in false },
    _ apply: @escaping @Sendable (inout State, Input) -> Output
  ) {
    self.initial = initial
    self.waits = waits
    self.apply = apply
  }
}
