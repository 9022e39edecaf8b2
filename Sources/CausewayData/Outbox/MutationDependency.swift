import Foundation

/// A mutation that the server must have before another one, even in another scope.
///
/// Mutations of the same scope are sent in order anyway. Use a dependency between scopes. For
/// example, the first comment on a new article is in another scope than the article:
///
/// ```swift
/// var dependencies: [MutationDependency] { [.record(comment.articleID, in: articles)] }
/// ```
public struct MutationDependency: Sendable, Hashable {
  enum Target: Sendable, Hashable {
    case mutation(IdempotencyKey)
    case record(collection: String, SQLValue)
  }

  let target: Target

  /// The mutation with this key, if the outbox has not sent it yet.
  public static func mutation(_ key: IdempotencyKey) -> MutationDependency {
    MutationDependency(target: .mutation(key))
  }
}

/// The sequence numbers of entries, in the form in which they are stored.
struct EntryList: Sendable {
  var sequences: [Int64]

  init(_ sequences: [Int64]) { self.sequences = sequences }

  init(text: String) { sequences = text.split(separator: ",").compactMap { Int64($0) } }

  /// The numbers separated by commas, such as `3,17`; empty if there are none.
  var text: String { sequences.map(String.init).joined(separator: ",") }
}

extension ReadTransaction {
  /// The waiting entries that the dependencies refer to.
  ///
  /// - Complexity: O(dependencies · log entries).
  func entries(
    _ dependencies: [MutationDependency], of account: AccountID
  ) throws(PersistenceError) -> EntryList {
    var sequences: Set<Int64> = []
    for dependency in dependencies {
      switch dependency.target {
      case .mutation(let key):
        let found = try rows(
          """
          SELECT sequence FROM sync_outbox WHERE key = \(key) AND account = \(account)
          AND state = \(OutboxEntry.State.waiting)
          """, as: Int64.self)
        sequences.formUnion(found)
      case .record(let collection, let entity):
        // The last entry of each scope is enough, because a scope is sent in order.
        let found = try rows(
          """
          SELECT max(sequence) FROM sync_outbox WHERE account = \(account)
          AND collection = \(collection) AND entity = \(entity)
          AND state = \(OutboxEntry.State.waiting) GROUP BY scope
          """, as: Int64.self)
        sequences.formUnion(found)
      }
    }
    return EntryList(sequences.sorted())
  }
}

// MARK: Dead letters

extension WriteTransaction {
  /// Moves the waiting entries that require an entry to the dead letters.
  ///
  /// They require it directly or through others.
  ///
  /// Entries of a collection without a sender stay, because their shown rows cannot be updated.
  ///
  /// - Complexity: O(entries with dependencies).
  func buryDependents(
    of entry: OutboxEntry, because reason: String, on date: Date, _ registry: OutboxRegistry
  ) throws(PersistenceError) -> [BuriedEntry] {
    let candidates = try rows(
      """
      SELECT sequence, key, requires FROM sync_outbox
      WHERE account = \(entry.account) AND requires <> '' AND sequence > \(entry.sequence)
      AND state = \(OutboxEntry.State.waiting)
      ORDER BY sequence
      """, as: Dependent.self)
    var gone: Set = [entry.sequence]
    var buried: [BuriedEntry] = []
    for candidate in candidates
    where EntryList(text: candidate.requires).sequences.contains(where: gone.contains) {
      guard let orphan = try outboxEntry(candidate.key, of: entry.account),
        let route = registry.route(for: orphan.collection)
      else { continue }
      gone.insert(candidate.sequence)
      let failure = RemoteFailure(
        .dependencyFailed, "It requires mutation \(entry.key), which failed: \(reason)")
      let letter = try buryEntry(
        orphan, attempts: orphan.attempts, failure, on: date, cause: entry.key)
      try route.show([orphan], self)
      buried.append(BuriedEntry(entry: orphan, letter: letter))
    }
    return buried
  }

  /// Moves a dead letter back to the end of the outbox, followed by the dead letters it caused.
  ///
  /// If the outbox already has an entry with the same key, only the dead letter is removed.
  ///
  /// - Returns: The keys of the new entries in order, beginning with the key of the dead letter.
  func reviveDeadLetter(
    _ letter: DeadLetter, as key: IdempotencyKey
  ) throws(PersistenceError) -> [IdempotencyKey] {
    let caused = try rows(
      """
      SELECT sequence, key, requires FROM sync_dead_letter
      WHERE account = \(letter.account) AND cause = \(letter.key) ORDER BY sequence
      """, as: Dependent.self)
    let requires =
      try row(
        "SELECT requires FROM sync_dead_letter WHERE sequence = \(letter.sequence)",
        as: String.self) ?? ""
    let first = Dependent(sequence: letter.sequence, key: key, requires: requires)
    var moved: [Int64: Int64] = [:]
    for dependent in [first] + caused {
      // Required entries that no longer exist delay nothing.
      let requires = EntryList(
        EntryList(text: dependent.requires).sequences.map { moved[$0] ?? $0 })
      try execute(
        """
        INSERT OR IGNORE INTO sync_outbox
          (key, account, collection, scope, kind, entity, payload, requires, created)
        SELECT \(dependent.key), account, collection, scope, kind, entity, payload,
          \(requires.text), created
        FROM sync_dead_letter WHERE sequence = \(dependent.sequence)
        """)
      try execute("DELETE FROM sync_dead_letter WHERE sequence = \(dependent.sequence)")
      moved[dependent.sequence] = try row(
        "SELECT sequence FROM sync_outbox WHERE key = \(dependent.key)", as: Int64.self)
    }
    return [key] + caused.map(\.key)
  }
}

private struct Dependent: Decodable {
  var sequence: Int64
  var key: IdempotencyKey
  var requires: String
}
