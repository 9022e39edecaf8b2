import CausewayBasics
import CausewayDatabase
import CausewaySystem
import Synchronization

/// Mutations of a scope that make no progress, because a part of the app is missing.
///
/// For example, the app was started again and has made no ``SyncEngine`` for the scope.
public struct StrandedMutations: Error, Hashable {
  /// The part of the app that the mutations need.
  public enum Need: String, Sendable, Hashable {
    /// The collection has no sender.
    case sender
    /// The server has the mutations, but no engine reads the scope and confirms them.
    case engine
  }

  /// The name of the mutations' collection, which is the name of the engine's table.
  public var collection: String
  /// The scope of the mutations.
  public var scope: SyncScope
  /// The number of mutations.
  public var count: Int
  /// The part of the app that the mutations need.
  public var need: Need
}

extension StrandedMutations: CustomStringConvertible {
  /// A sentence that names the mutations, and how to fix the cause.
  public var description: String { text(of: ", scope \(scope)") }

  /// The sentence without the scope, which can contain the id of a person.
  var anonymous: String { text(of: "") }

  private func text(of scope: String) -> String {
    let mutations =
      "\(count) mutation\(count == 1 ? "" : "s") of the collection \(collection)\(scope)"
    return switch need {
    case .sender:
      "\(mutations), cannot be sent: nothing sends the collection. "
        + "Start a SyncEngine for each scope that has mutations, or register a sender."
    case .engine:
      "\(mutations), were sent and stay pending: no engine reads the scope. "
        + "Start a SyncEngine for each scope that has mutations."
    }
  }
}

extension Outbox {
  /// How long the app may take to make its engines and senders.
  static let strandedDelay = Duration.seconds(10)

  /// Returns the mutations of the signed-in account that nothing sends, or nothing confirms.
  ///
  /// - Throws: `PersistenceError` or `CancellationError`.
  /// - Complexity: O(entries).
  public func stranded() async throws -> [StrandedMutations] {
    guard let account = session.current?.account else { return [] }
    struct Group: Decodable, Sendable {
      var collection: String
      var scope: SyncScope
      var state: OutboxEntry.State
      var count: Int
    }
    let groups = try await persistence.read {
      try $0.rows(
        """
        SELECT collection, scope, state, count(*) AS count FROM sync_outbox
        WHERE account = \(account) GROUP BY collection, scope, state ORDER BY min(sequence)
        """, as: Group.self)
    }
    return groups.compactMap { group in
      guard let need = need(group.collection, group.scope, isSent: group.state != .waiting) else {
        return nil
      }
      return StrandedMutations(
        collection: group.collection, scope: group.scope, count: group.count, need: need)
    }
  }

  /// The missing part of the app that a mutation needs; `nil` if nothing is missing.
  nonisolated func need(
    _ collection: String, _ scope: SyncScope, isSent: Bool
  ) -> StrandedMutations.Need? {
    guard let route = registry.route(for: collection) else { return .sender }
    return isSent && route.rows != nil && !registry.hasObserver(collection, scope) ? .engine : nil
  }

  /// Reports stranded mutations after ``strandedDelay``, if they still lack a sender or an engine.
  ///
  /// - Parameter places: The collections and scopes of mutations.
  nonisolated func noteNeeds(
    of places: some Sequence<(String, SyncScope)>, _ ticket: SessionTicket
  ) {
    guard places.contains(where: { need($0, $1, isSent: true) != nil }),
      strandedReport.begin(ticket)
    else { return }
    loop.spawn { [surroundings = loop.surroundings, strandedReport] find in
      guard (try? await surroundings.sleep(Self.strandedDelay)) != nil,
        let outbox = find(), ticket.isCurrent, let stranded = try? await outbox.stranded()
      else { return }
      for mutations in stranded { strandedReport.report(mutations) }
    }
  }
}

/// Reports the stranded mutations of each session once.
final class StrandedReport: Sendable {
  let report: @Sendable (StrandedMutations) -> Void
  private let session = Mutex<SessionTicket?>(nil)

  /// - Parameter report: `nil` for a line on standard error.
  init(_ report: (@Sendable (StrandedMutations) -> Void)?) {
    self.report =
      report
      ?? { mutations in
        let text = PrintableText.escaped("Outbox: \(mutations.anonymous)", limit: LineLog.longest)
        StandardError.print("\(text)\n")
      }
  }

  /// Returns whether this is the first call for a session.
  func begin(_ ticket: SessionTicket) -> Bool {
    session.withLock { session in
      defer { session = ticket }
      return session != ticket
    }
  }
}
