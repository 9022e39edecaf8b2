import CausewayExploration
import Synchronization

/// Records transactions on lists, and checks how well they are isolated.
///
/// Each transaction reads whole lists, and then appends values to lists. A value must not be appended
/// twice to one list. The reads then show the order of the appends, and which transactions must come
/// before others. The algorithm is that of K. Kingsbury and P. Alvaro, "Elle: Inferring Isolation
/// Anomalies from Experimental Observations", VLDB 2020.
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
public final class TransactionHistory<Key: Hashable & Sendable, Value: Hashable & Sendable>:
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

  private struct Contents {
    var transactions: [Transaction] = []
    var events = 0
  }

  private let contents = Mutex(Contents())

  /// Makes an empty history.
  public init() {}

  /// Performs a transaction and records it.
  ///
  /// If the transaction throws, its outcome is unknown, unless `isRolledBack` knows the error: it may
  /// have taken effect, or may take effect later. The outcome of a transaction that a crash interrupts
  /// is also unknown.
  ///
  /// - Parameters:
  ///   - appends: The values that the transaction appends to each list, in order.
  ///   - isRolledBack: Whether an error says that the transaction has no effect.
  ///   - transaction: Performs the transaction, and returns the lists that it read before it appended.
  /// - Throws: The error of the transaction.
  public func record(
    appending appends: [Key: [Value]] = [:],
    isRolledBack: (any Error) -> Bool = { _ in false },
    _ transaction: () async throws -> [Key: [Value]]
  ) async rethrows {
    let index = contents.withLock { contents in
      contents.events += 1
      contents.transactions.append(Transaction(appends: appends, begin: contents.events))
      return contents.transactions.count - 1
    }
    do {
      let reads = try await transaction()
      end(index, .committed, reads)
    } catch {
      if isRolledBack(error) { end(index, .rolledBack, [:]) }
      throw error
    }
  }

  private func end(_ index: Int, _ outcome: Transaction.Outcome, _ reads: [Key: [Value]]) {
    // A crash in the same step has interrupted the transaction.
    if Scheduler.ofThread?.isCurrentAlive == false { return }
    contents.withLock { contents in
      contents.events += 1
      contents.transactions[index].end = contents.events
      contents.transactions[index].outcome = outcome
      contents.transactions[index].reads = reads
    }
  }

  /// Returns transactions that contradict the promises of a level; `nil` if there are none.
  ///
  /// Complexity: O(*n*) in the number of read and appended values, and the time of a search in a graph
  /// with an edge for each of them.
  public func violation(of level: IsolationLevel) -> IsolationViolation? {
    let transactions = contents.withLock(\.transactions)
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
