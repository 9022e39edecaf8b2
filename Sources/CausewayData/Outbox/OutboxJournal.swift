import Foundation

/// The reads and writes of an outbox; contains no decisions.
struct OutboxJournal: Sendable {
  let persistence: any PersistenceService
  let environment: SyncEnvironment
  let limit: Int
  let deadLetterLimit: Int

  /// Stores a draft and runs `alongside` in one transaction.
  func store(
    _ draft: OutboxDraft, as ticket: SessionTicket,
    alongside: @escaping @Sendable (StoredDraft, any WriteTransaction) throws -> Void
  ) async throws -> StoredDraft {
    let created = environment.date()
    return try await persistence.write(as: ticket) { [limit] transaction in
      let stored = try transaction.storeEntry(
        draft, of: ticket.account, created: created, limit: limit)
      try alongside(stored, transaction)
      return stored
    }
  }

  /// Reads the fields of waiting entries that decisions need, after a sequence number.
  func waiting(
    of account: AccountID, after sequence: Int64
  ) async throws -> [WaitingEntry] {
    try await persistence.read { try $0.waitingEntries(of: account, after: sequence) }
  }

  /// Reads a waiting entry and some entries after it, which will be sent soon.
  func entries(from sequence: Int64, of account: AccountID) async throws -> [OutboxEntry] {
    try await persistence.read {
      try $0.waitingEntries(
        from: sequence, of: account, count: EntryCache.countLimit / 2,
        bytes: EntryCache.byteLimit / 2)
    }
  }

  /// Stores receipts in one transaction; returns for each whether stored data shows the mutation.
  func save(_ receipts: [OutboxReceipt], as ticket: SessionTicket) async throws -> [Bool] {
    try await persistence.write(as: ticket) { try $0.store(receipts) }
  }

  /// Stores the result of a failed send, and its effect on the rows.
  ///
  /// - Returns: The change for the observers, the new dead letter, and the dead letters removed for
  ///   it.
  func save(
    _ change: OutboxMachine.Change, of entry: OutboxEntry, _ route: OutboxRoute,
    as ticket: SessionTicket
  ) async throws -> (told: OutboxChange, letter: DeadLetter?, dropped: [DeadLetter]) {
    let date = environment.date()
    return try await persistence.write(as: ticket) { [deadLetterLimit] transaction in
      switch change {
      case .retry(let attempts, let delay, let failure, let counts):
        try transaction.postponeEntry(
          entry.sequence, attempts: attempts, counts,
          until: date.addingTimeInterval(delay / .seconds(1)))
        return (.failed(failure), nil, [])
      case .rejected(let attempts, let failure):
        try transaction.buryEntry(entry.sequence, attempts: attempts, failure, on: date)
        try route.show([entry], transaction)
        let dropped = try transaction.dropDeadLetters(
          of: entry.account, beyond: deadLetterLimit, except: entry.sequence)
        let letter = DeadLetter(entry, attempts: attempts, failure, on: date)
        return (.rejected(failure), letter, dropped)
      }
    }
  }
}

/// The result of storing a draft.
struct StoredDraft: Sendable {
  /// The draft's entry, or the entry that had its key already.
  let entry: OutboxEntry
  let isNew: Bool
  /// The highest stored sequence number before the entry's.
  let previous: Int64
}

/// The server's receipt for an entry, until it is stored.
struct OutboxReceipt: Sendable {
  let entry: OutboxEntry
  let route: OutboxRoute
  let receipt: MutationReceipt
}

extension WriteTransaction {
  /// Stores receipts, removes the entries that need no read, and returns which ones it removed.
  ///
  /// A second call with the same receipts changes nothing. Each record of a removed entry is shown
  /// anew once, however many of its mutations are removed.
  func store(_ receipts: [OutboxReceipt]) throws(PersistenceError) -> [Bool] {
    var removed: [String: (route: OutboxRoute, entries: [OutboxEntry])] = [:]
    var areCovered: [Bool] = []
    for receipt in receipts {
      let (entry, route) = (receipt.entry, receipt.route)
      var version: SyncVersion?
      let isCovered: Bool
      switch receipt.receipt {
      case .final: isCovered = true
      case .coveredByNextRead: isCovered = false
      case .covered(by: let covering):
        version = covering
        isCovered = try route.isCovered(entry, covering, self)
      }
      areCovered.append(isCovered)
      if isCovered {
        try removeEntry(entry.sequence)
        removed[entry.collection, default: (route, [])].entries.append(entry)
      } else {
        try acknowledgeEntry(entry.sequence, version: version)
      }
    }
    for (route, entries) in removed.values { try route.show(entries, self) }
    return areCovered
  }
}

/// A request that has begun.
struct OutboxSending: Sendable {
  let entry: OutboxEntry
  let ticket: SessionTicket
  let route: OutboxRoute
  let attempt: Attempt
  let timeout: Duration
  let environment: SyncEnvironment
}

/// The transaction of a read could not store the receipts of its scope.
struct ReceiptsNotStored: Error {}

/// Entries in memory that will be sent soon; saves a read for each of them.
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

  /// Removes an entry and returns it, or returns `nil` if the cache does not contain it.
  mutating func take(_ sequence: Int64) -> OutboxEntry? {
    guard let entry = entries.removeValue(forKey: sequence) else { return nil }
    bytes -= entry.payload.count
    return entry
  }
}

extension DeadLetter {
  fileprivate init(_ entry: OutboxEntry, attempts: Int, _ failure: RemoteFailure, on date: Date) {
    self.init(
      sequence: entry.sequence, key: entry.key, account: entry.account,
      collection: entry.collection, scope: entry.scope, kind: entry.kind, payload: entry.payload,
      attempts: attempts, created: entry.created, rejected: date, reason: failure.kind,
      message: failure.message)
  }
}
