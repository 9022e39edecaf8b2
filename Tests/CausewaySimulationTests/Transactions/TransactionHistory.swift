import CausewayExploration

/// Records transactions on lists, and checks how well they are isolated.
///
/// Each transaction reads whole lists, and then appends values to lists. A value must not be
/// appended twice to one list. The reads then show the order of the appends, and which transactions
/// must come before others. The algorithm is from K. Kingsbury and P. Alvaro, "Elle: Inferring
/// Isolation Anomalies from Experimental Observations", VLDB 2020.
///
/// ```swift
/// let history = TransactionHistory<String, Int>()
/// // … in the actions of a script:
/// try await history.record(appending: ["list": [number]]) {
///   try await database.write { transaction in
///     let read = try transaction.values(of: "list")
///     try transaction.append(number, to: "list")
///     return ["list": read]
///   }
/// }
/// // … in the check:
/// let violation = history.violation(of: .serializable)
/// try world.require(violation == nil, "\(violation)")
/// ```
///
/// Make the history in the closure that builds the world. Each trial then has its own history.
final class TransactionHistory<Key: Hashable & Sendable, Value: Hashable & Sendable>:
  Sendable
{
  struct Transaction: Sendable {
    enum Outcome: Sendable { case unknown, committed, rolledBack }

    let appends: [Key: [Value]]
    var reads: [Key: [Value]] = [:]
    var outcome = Outcome.unknown
    /// The number of the event at which it began.
    let begin: Int
    /// The number of the event at which it ended; `nil` if that is not known.
    var end: Int?
  }

  private struct Ending {
    let outcome: Transaction.Outcome
    var reads: [Key: [Value]] = [:]
  }

  private let log = CallLog<[Key: [Value]], Ending>()

  /// Makes an empty history.
  init() {}

  /// Performs a transaction and records it.
  ///
  /// If the transaction throws, its outcome is unknown: it may have taken effect, or may take effect
  /// later. If `isRolledBack` returns true for the error, the transaction has no effect. The outcome
  /// of a transaction that a crash interrupts is also unknown.
  ///
  /// - Parameters:
  ///   - appends: The values that the transaction appends to each list, in order.
  ///   - isRolledBack: Whether an error says that the transaction has no effect.
  ///   - transaction: Performs the transaction, and returns the lists that it read before it appended.
  /// - Throws: The error of the transaction.
  func record(
    appending appends: [Key: [Value]] = [:],
    isRolledBack: (any Error) -> Bool = { _ in false },
    _ transaction: () async throws -> [Key: [Value]]
  ) async rethrows {
    let index = log.begin(appends)
    do {
      log.end(index, Ending(outcome: .committed, reads: try await transaction()))
    } catch {
      if isRolledBack(error) { log.end(index, Ending(outcome: .rolledBack)) }
      throw error
    }
  }

  /// Returns transactions that contradict the promises of a level; `nil` if there are none.
  ///
  /// Complexity: O(*n*) in the number of read and appended values, and the time of a search in a graph
  /// with an edge for each of them.
  func violation(of level: IsolationLevel) -> IsolationViolation? {
    let transactions = log.calls.map { call in
      Transaction(
        appends: call.input, reads: call.output?.reads ?? [:],
        outcome: call.output?.outcome ?? .unknown, begin: call.begin, end: call.end)
    }
    do {
      let graph = try TransactionGraph(transactions, hasTime: level == .strictSerializable)
      guard let cycle = CycleSearch(graph.edges, level).cycle() else { return nil }
      return IsolationViolation(.cycle, graph.text(of: cycle))
    } catch {
      return error
    }
  }
}

extension IsolationViolation: Error {}
