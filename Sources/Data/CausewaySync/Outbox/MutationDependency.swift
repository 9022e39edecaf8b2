import CausewayBasics
import CausewayDatabase
public import CausewayNetwork
import Foundation

/// A mutation that the server must have before another one, even in another scope.
///
/// A new mutation waits only for required mutations that are still in the outbox when it is stored.
/// A required mutation that has already become a dead letter does not affect the new mutation. For
/// example, the server may have the record, and may have refused only an edit of it.
///
/// Mutations of the same scope are sent in order anyway. Use a dependency between scopes. For
/// example, the first comment on a new article is not in the scope of the article:
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
          SELECT sequence FROM sync_outbox WHERE \(SQL.isKey(key, of: account))
          AND state = \(OutboxEntry.State.waiting)
          """, as: Int64.self)
        sequences.formUnion(found)
      case .record(let collection, let entity):
        // The last entry of each scope is enough, because a scope is sent in order. Because of the
        // plus sign, SQLite finds the record's entries by an index. Otherwise it would search all
        // entries of the collection, in the order of their scopes.
        let found = try rows(
          """
          SELECT max(sequence) FROM sync_outbox WHERE account = \(account)
          AND collection = \(collection) AND entity = \(entity)
          AND state = \(OutboxEntry.State.waiting) GROUP BY +scope
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
  /// They require the entry directly or through other entries.
  ///
  /// If an entry's collection has no sender, the entry's shown row is updated when a sender is
  /// registered.
  ///
  /// - Complexity: O(entries with dependencies).
  func buryDependents(
    of entry: OutboxEntry, because reason: String, on date: Date, _ registry: OutboxRegistry
  ) throws(PersistenceError) -> [BuriedEntry] {
    let candidates = try rows(
      """
      SELECT sequence, \(SQL.key), requires FROM sync_outbox
      WHERE account = \(entry.account) AND requires <> '' AND sequence > \(entry.sequence)
      AND state = \(OutboxEntry.State.waiting)
      ORDER BY sequence
      """, as: Dependent.self)
    var gone: Set = [entry.sequence]
    var buried: [BuriedEntry] = []
    for candidate in candidates
    where EntryList(text: candidate.requires).sequences.contains(where: gone.contains) {
      guard let orphan = try outboxEntry(candidate.key, of: entry.account) else { continue }
      gone.insert(candidate.sequence)
      let failure = RemoteFailure(
        .dependencyFailed, "It requires mutation \(entry.key), which failed: \(reason)")
      let letter = try buryEntry(
        orphan, attempts: orphan.attempts, failure, on: date, cause: entry.key)
      if registry.route(for: orphan.collection) == nil { try markShownRow(of: letter) }
      buried.append(BuriedEntry(entry: orphan, letter: letter))
    }
    try show(buried.map(\.entry), registry)
    return buried
  }

  /// Moves the entries that must not overtake a set-aside entry to the dead letters.
  ///
  /// These are the entries that require the set-aside entry, and the later entries of its record.
  /// If the server accepted a later entry first and the set-aside entry afterwards, the change of
  /// the later entry would be overwritten. The moved entries cannot be sent again before the
  /// set-aside entry is sent again or discarded.
  ///
  /// - Complexity: O(later entries of the record + entries with dependencies).
  func buryFollowers(
    of entry: OutboxEntry, because reason: String, on date: Date, _ registry: OutboxRegistry
  ) throws(PersistenceError) -> [BuriedEntry] {
    var buried = try buryDependents(of: entry, because: reason, on: date, registry)
    let keys = try rows(
      """
      SELECT \(SQL.key) FROM sync_outbox
      WHERE account = \(entry.account) AND collection = \(entry.collection)
      AND scope = \(entry.scope) AND sequence > \(entry.sequence)
      AND state = \(OutboxEntry.State.waiting)
      AND entity = (SELECT entity FROM sync_dead_letter WHERE sequence = \(entry.sequence))
      ORDER BY sequence
      """, as: IdempotencyKey.self)
    for key in keys {
      guard let follower = try outboxEntry(key, of: entry.account) else { continue }
      let failure = RemoteFailure(
        .dependencyFailed, "It follows mutation \(entry.key), which was set aside")
      let end = try buryEntry(
        follower, attempts: follower.attempts, failure, on: date, cause: entry.key)
      buried.append(BuriedEntry(entry: follower, letter: end))
      buried += try buryDependents(of: follower, because: failure.message, on: date, registry)
    }
    try requireEarlierLetters(ofRecordOf: entry)
    try show(buried.map(\.entry), registry)
    return buried
  }

  /// Makes each dead letter of a record require the earlier ones, beginning with a set-aside entry.
  ///
  /// Otherwise, a dead letter that is sent again alone would overtake the earlier ones. A discarded
  /// dead letter does not delay the others.
  ///
  /// - Complexity: O(*n*²) in the number of later dead letters of the record.
  private func requireEarlierLetters(
    ofRecordOf entry: OutboxEntry
  ) throws(PersistenceError) {
    let letters = try rows(
      """
      SELECT sequence, \(SQL.key), requires, cause FROM sync_dead_letter
      WHERE account = \(entry.account) AND collection = \(entry.collection)
      AND scope = \(entry.scope) AND sequence >= \(entry.sequence)
      AND entity = (SELECT entity FROM sync_dead_letter WHERE sequence = \(entry.sequence))
      ORDER BY sequence
      """, as: Dependent.self)
    var earlier: Set<Int64> = []
    for letter in letters {
      let requires = earlier.union(EntryList(text: letter.requires).sequences)
      if !earlier.isEmpty {
        try execute(
          """
          UPDATE sync_dead_letter SET requires = \(EntryList(requires.sorted()).text)
          WHERE sequence = \(letter.sequence)
          """)
      }
      earlier.insert(letter.sequence)
    }
  }

  /// Updates the shown rows of entries that were added or removed.
  ///
  /// The shown row of a record is computed only once, even if several of its mutations changed.
  func show(
    _ entries: [OutboxEntry], _ registry: OutboxRegistry
  ) throws(PersistenceError) {
    for (collection, entries) in Dictionary(grouping: entries, by: \.collection) {
      try registry.route(for: collection)?.rows?.show(entries, self)
    }
  }

  /// Marks the shown row of a dead letter; it is updated when an engine registers the sender.
  private func markShownRow(of letter: DeadLetter) throws(PersistenceError) {
    let overlay = SQL.overlayName(of: letter.collection)
    let key = try row(
      """
      SELECT name FROM pragma_table_info(\(overlay)) WHERE pk = 3
      AND EXISTS (SELECT 1 FROM sync_table WHERE name = \(letter.collection))
      """, as: String.self)
    guard let key else { return }
    try execute(
      """
      UPDATE \(identifier: overlay) SET syncRead = 0
      WHERE syncAccount = \(letter.account) AND syncScope = \(letter.scope)
      AND \(identifier: key) = (SELECT entity FROM sync_dead_letter
        WHERE sequence = \(letter.sequence))
      """)
  }

  /// Moves a dead letter back to the end of the outbox, followed by its dependents.
  ///
  /// Its dependents are two kinds of dead letters that were not refused themselves. The first kind
  /// was caused by this dead letter. The second kind requires it or one of its dependents, but has
  /// another cause, for example a mutation that was discarded in the meantime.
  ///
  /// If the outbox already has an entry with the same key, only the dead letter is removed. If a
  /// dependent also requires a dead letter that stays, the dependent stays too, and that dead
  /// letter becomes its cause.
  ///
  /// - Parameter limit: The largest number of entries of the account.
  /// - Returns: The keys of the new entries in order, beginning with the key of the dead letter.
  /// - Throws: `OutboxError.requiresDeadLetter` if the dead letter requires another one;
  ///   `OutboxError.full`; `PersistenceError`.
  /// - Complexity: O(dead letters).
  func reviveDeadLetter(
    _ letter: DeadLetter, as key: IdempotencyKey, limit: Int
  ) throws -> [IdempotencyKey] {
    let letters = try rows(
      """
      SELECT sequence, \(SQL.key), requires, cause FROM sync_dead_letter
      WHERE account = \(letter.account) ORDER BY sequence
      """, as: Dependent.self)
    var left = Dictionary(uniqueKeysWithValues: letters.map { ($0.sequence, $0.key) })
    var moved: [Int64: Int64] = [:]
    var revived: [IdempotencyKey] = []
    let first = letters.filter { $0.key == letter.key }
    for dependent in first + letters.filter({ $0.key != letter.key && $0.cause != nil }) {
      let required = EntryList(text: dependent.requires).sequences
      let isConcerned =
        revived.isEmpty || dependent.cause == letter.key
        || required.contains { moved[$0] != nil }
      guard isConcerned else { continue }
      let others = required.compactMap { left[$0] }
      if let other = others.first(where: { $0 == dependent.cause }) ?? others.first {
        guard !revived.isEmpty else { throw OutboxError.requiresDeadLetter(letter.key, other) }
        try execute(
          "UPDATE sync_dead_letter SET cause = \(other) WHERE sequence = \(dependent.sequence)")
        continue
      }
      let newKey = revived.isEmpty ? key : dependent.key
      moved[dependent.sequence] = try revive(
        dependent, as: newKey, requires: required.map { moved[$0] ?? $0 }, letter.account, limit)
      left[dependent.sequence] = nil
      revived.append(newKey)
    }
    for other in letters where left[other.sequence] != nil {
      let required = EntryList(text: other.requires).sequences
      guard required.contains(where: { moved[$0] != nil }) else { continue }
      let text = EntryList(required.map { moved[$0] ?? $0 }).text
      try execute(
        "UPDATE sync_dead_letter SET requires = \(text) WHERE sequence = \(other.sequence)")
    }
    return revived
  }

  /// Moves a dead letter to the outbox, and returns the new sequence number.
  private func revive(
    _ letter: Dependent, as key: IdempotencyKey, requires: [Int64], _ account: AccountID,
    _ limit: Int
  ) throws -> Int64? {
    if try isOutboxFull(for: account, limit: limit, outboxRange()) { throw OutboxError.full(limit) }
    let stored = try storedKey(key, of: account)
    // A required entry that no longer exists does not delay this entry.
    try execute(
      """
      INSERT OR IGNORE INTO sync_outbox
        (key, account, collection, scope, kind, entity, payload, requires, created)
      SELECT \(stored), account, collection, scope, kind, entity, payload,
        \(EntryList(requires).text), created
      FROM sync_dead_letter WHERE sequence = \(letter.sequence)
      """)
    try execute("DELETE FROM sync_dead_letter WHERE sequence = \(letter.sequence)")
    return try row("SELECT sequence FROM sync_outbox WHERE key = \(stored)", as: Int64.self)
  }
}

private struct Dependent: Decodable {
  var sequence: Int64
  var key: IdempotencyKey
  var requires: String
  var cause: IdempotencyKey?
}
