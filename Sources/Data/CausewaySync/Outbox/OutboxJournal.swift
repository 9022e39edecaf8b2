import CausewayBasics
import CausewayDatabase
import CausewayNetwork
import Foundation

/// The reads and writes of an outbox; contains no decisions.
struct OutboxJournal: Sendable {
  let persistence: any PersistenceService
  let surroundings: Surroundings
  let limit: Int
  let deadLetterLimit: Int

  /// Stores a draft and runs `alongside` in one transaction.
  func store(
    _ draft: OutboxDraft, as ticket: SessionTicket,
    alongside: @escaping @Sendable (StoredDraft, any WriteTransaction) throws -> Void
  ) async throws -> StoredDraft {
    let created = surroundings.date
    return try await persistence.write(as: ticket) { [limit] transaction in
      let stored = try transaction.storeEntry(
        draft, of: ticket.account, created: created, limit: limit)
      try alongside(stored, transaction)
      return stored
    }
  }

  /// Reads the fields that decisions need, for waiting entries after a sequence number.
  func waiting(
    of account: AccountID, after sequence: Int64
  ) async throws -> [WaitingEntry] {
    try await persistence.read { try $0.waitingEntries(of: account, after: sequence) }
  }

  /// Reads the waiting entries of a request.
  ///
  /// For a single entry, it also reads some later entries that will be sent soon.
  func entries(_ sequences: [Int64], of account: AccountID) async throws -> [OutboxEntry] {
    let bytes = EntryCache.byteLimit / 2
    return try await persistence.read { transaction in
      guard sequences.count == 1 else {
        return try transaction.waitingEntries(sequences, of: account, bytes: bytes)
      }
      return try transaction.waitingEntries(
        from: sequences[0], of: account, count: EntryCache.countLimit / 2, bytes: bytes)
    }
  }

  /// Stores receipts in one transaction; if that fails, each receipt gets its own transaction.
  ///
  /// Returns for each receipt whether stored data contains its mutation.
  func saveEach(
    _ receipts: [OutboxReceipt], as ticket: SessionTicket
  ) async -> [Result<Bool, any Error>] {
    if receipts.count > 1,
      let covered = try? await persistence.write(as: ticket, { try $0.store(receipts) })
    {
      return covered.map { .success($0) }
    }
    var results: [Result<Bool, any Error>] = []
    for receipt in receipts {
      do {
        let covered = try await persistence.write(as: ticket) { try $0.store([receipt]) }
        results.append(.success(covered.first ?? false))
      } catch {
        results.append(.failure(error))
      }
    }
    return results
  }

  /// Updates the shown rows of a collection that were marked while it had no sender.
  func showMarkedRows(_ route: OutboxRoute) async throws {
    guard let rows = route.rows, try await persistence.read({ try rows.areMarked($0) }) else {
      return
    }
    try await persistence.write { try rows.showMarked($0) }
  }

  /// Stores the result of a failed send, and its effect on the rows.
  func save(
    _ change: OutboxMachine.Change, of entry: OutboxEntry, _ route: OutboxRoute,
    _ registry: OutboxRegistry, as ticket: SessionTicket
  ) async throws -> OutboxEnd {
    let date = surroundings.date
    return try await persistence.write(as: ticket) { [deadLetterLimit] transaction in
      switch change {
      case .retry(let attempts, let delay, let failure, let counts):
        try transaction.postponeEntry(
          entry.sequence, attempts: attempts, counts,
          until: date.addingTimeInterval(delay / .seconds(1)))
        return OutboxEnd(told: .failed(failure))
      case .rejected(let attempts, let failure):
        let letter = try transaction.buryEntry(entry, attempts: attempts, failure, on: date)
        try route.rows?.show([entry], transaction)
        let orphans =
          failure.kind == .serverFault
          ? try transaction.buryFollowers(
            of: entry, because: failure.message, on: date, registry)
          : try transaction.buryDependents(
            of: entry, because: failure.message, on: date, registry)
        let buried = [BuriedEntry(entry: entry, letter: letter)] + orphans
        return OutboxEnd(
          told: .rejected(failure), buried: buried,
          dropped: try transaction.dropDeadLetters(
            of: entry.account, beyond: deadLetterLimit, except: buried))
      }
    }
  }

  /// Makes an entry a dead letter, with the entries that must not overtake it.
  func setAside(
    _ entry: OutboxEntry, _ registry: OutboxRegistry, as ticket: SessionTicket
  ) async throws -> OutboxEnd {
    let date = surroundings.date
    return try await persistence.write(as: ticket) { [deadLetterLimit] transaction in
      // A receipt or an undo may have been stored in the meantime.
      guard let entry = try transaction.outboxEntry(entry.key, of: entry.account),
        entry.state == .waiting
      else { throw OutboxError.notFound(entry.key) }
      let failure = RemoteFailure(.serverFault, "The server has not accepted it so far.")
      let letter = try transaction.buryEntry(
        entry, attempts: entry.attempts, failure, on: date)
      try registry.route(for: entry.collection)?.rows?.show([entry], transaction)
      let followers = try transaction.buryFollowers(
        of: entry, because: failure.message, on: date, registry)
      // The server has not refused these mutations. So setting them aside must not drop a dead
      // letter.
      guard try transaction.countDeadLetters(of: entry.account) <= deadLetterLimit else {
        throw OutboxError.tooManyDeadLetters(deadLetterLimit)
      }
      return OutboxEnd(
        told: .rejected(failure), buried: [BuriedEntry(entry: entry, letter: letter)] + followers)
    }
  }

  /// Removes an entry that was never sent.
  ///
  /// The entries that require it become dead letters.
  ///
  /// - Throws: `OutboxError.notFound` if another transaction has removed the entry, for example
  ///   because a mutation that it requires was refused.
  func undo(
    _ entry: OutboxEntry, _ registry: OutboxRegistry, as ticket: SessionTicket
  ) async throws -> OutboxEnd {
    let date = surroundings.date
    return try await persistence.write(as: ticket) { [deadLetterLimit] transaction in
      guard try transaction.removeEntry(entry.sequence) else {
        throw OutboxError.notFound(entry.key)
      }
      try registry.route(for: entry.collection)?.rows?.show([entry], transaction)
      let orphans = try transaction.buryDependents(
        of: entry, because: "It was undone.", on: date, registry)
      return OutboxEnd(
        told: .removed, buried: orphans,
        dropped: try transaction.dropDeadLetters(
          of: entry.account, beyond: deadLetterLimit, except: orphans))
    }
  }

  /// Moves a dead letter back to the entries, followed by the dead letters that require it.
  func revive(
    _ key: IdempotencyKey, _ registry: OutboxRegistry, as ticket: SessionTicket
  ) async throws -> [OutboxEntry] {
    try await persistence.write(as: ticket) { [surroundings, limit] transaction in
      guard let letter = try transaction.deadLetter(key, of: ticket.account) else {
        throw OutboxError.notFound(key)
      }
      let revived = letter.reason.isRefusal ? surroundings.makeKey() : key
      let keys = try transaction.reviveDeadLetter(letter, as: revived, limit: limit)
      let entries = try keys.map { key in
        guard let entry = try transaction.outboxEntry(key, of: ticket.account) else {
          throw OutboxError.notFound(key)
        }
        return entry
      }
      try transaction.show(entries, registry)
      return entries
    }
  }
}

extension RemoteFailure.Kind {
  /// Whether the mutation needs a new key: the server has not applied it, but may remember its key.
  fileprivate var isRefusal: Bool {
    switch self {
    case .rejected, .conflict, .unsendable: true
    // The mutation was never sent, so the server cannot remember its key.
    case .dependencyFailed: false
    case .unreachable, .timedOut, .busy, .serverFault, .unauthorized, .garbled, .unknown: false
    }
  }
}

/// The stored result of a failed send or of an undo.
struct OutboxEnd: Sendable {
  /// The change for the observers of the entry.
  var told: OutboxChange
  /// The entries that became dead letters.
  ///
  /// After a refusal, the refused entry comes first, and then the entries that require it.
  var buried: [BuriedEntry] = []
  /// The dead letters that were removed because there are too many.
  var dropped: [DeadLetter] = []
}

/// An entry that became a dead letter.
struct BuriedEntry: Sendable {
  var entry: OutboxEntry
  var letter: DeadLetter
}

/// The result of storing a draft.
struct StoredDraft: Sendable {
  /// The draft's entry, or the existing entry with the same key.
  let entry: OutboxEntry
  let isNew: Bool
  /// The highest sequence number that was stored before this entry.
  let previous: Int64
  /// The entries that the server must have before this entry.
  var requires: [Int64] = []
}

/// Entries in memory that will be sent soon; this saves a read for each entry.
struct EntryCache: Sendable {
  static let countLimit = 128
  static let byteLimit = 1 << 20

  private var entries: [Int64: OutboxEntry] = [:]
  private var bytes = 0

  init(_ entries: some Sequence<OutboxEntry> = []) {
    for entry in entries { insert(entry) }
  }

  /// Adds an entry, unless the cache is full.
  mutating func insert(_ entry: OutboxEntry) {
    guard entries.count < Self.countLimit, bytes + entry.payload.count <= Self.byteLimit,
      entries.updateValue(entry, forKey: entry.sequence) == nil
    else { return }
    bytes += entry.payload.count
  }

  /// Returns as many entries as a request may contain, at least one, and stores the rest.
  mutating func keepExcess(of found: [OutboxEntry]) -> [OutboxEntry] {
    var bytes = 0
    let count = found.prefix {
      bytes += $0.payload.count
      return bytes <= Self.byteLimit / 2
    }.count
    for entry in found.dropFirst(max(count, 1)) { insert(entry) }
    return Array(found.prefix(max(count, 1)))
  }

  /// Removes an entry and returns it, or returns `nil` if the cache does not contain it.
  mutating func take(_ sequence: Int64) -> OutboxEntry? {
    guard let entry = entries.removeValue(forKey: sequence) else { return nil }
    bytes -= entry.payload.count
    return entry
  }
}
