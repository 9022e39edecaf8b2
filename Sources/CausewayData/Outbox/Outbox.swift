import Foundation
import Synchronization

/// Stores mutations, sends them in order, and keeps them until the server's data shows them.
///
/// ```swift
/// let persistence = try await SQLiteService(path: "app.sqlite", migrations: Outbox.migrations)
/// let outbox = Outbox(persistence: persistence, session: session)
/// outbox.register("feedback") { entry in
///   try await server.post(entry.payload, key: entry.key)
///   return .final
/// }
/// outbox.start()
/// try await outbox.enqueue(OutboxDraft(collection: "feedback", kind: "send", payload: text))
/// ```
///
/// After `enqueue` has returned, the mutation survives the end of the process at any moment. The
/// outbox sends it again, under the same ``IdempotencyKey``, until the server has answered and the
/// answer is stored. The server applies each key once. The outbox sends the entries of a scope one
/// after the other, and the entries of different scopes at the same time. A refused entry becomes a
/// ``DeadLetter``. Neither a dead letter nor an entry without a registered sender delays other
/// entries.
///
/// Entries belong to the account that was signed in; a logout removes them.
public actor Outbox: DrivenActor {
  /// The signals of the outbox's loop.
  enum Signal: Hashable, Sendable {
    /// A sender was registered for a collection.
    case registered(String)
    /// There are stored entries that the machine has not loaded.
    case stored
    case retryRequested
  }

  /// The service that stores the entries.
  public nonisolated let persistence: any PersistenceService
  /// The session service; its account's entries are sent.
  public nonisolated let session: any SessionServiceProtocol
  nonisolated let driver: Driver<Outbox>
  nonisolated let registry = OutboxRegistry()
  nonisolated let rejected = Broadcast<DeadLetter>(nil, buffering: .everything)
  nonisolated let dropped = Broadcast<DeadLetter>(nil, buffering: .everything)
  nonisolated let timeout: Duration
  private nonisolated let journal: OutboxJournal

  private var machine: OutboxMachine
  /// The requests in progress, by sequence number.
  private var attempts: [Int64: Attempt] = [:]
  /// Entries that will be sent soon.
  private var cache = EntryCache()
  /// Receipts from the server that are not stored yet, by sequence number.
  private var receipts: [Int64: OutboxReceipt] = [:]
  /// Callers that wait until the transactions that are storing receipts have ended.
  private var receiptWaiters: [Waiter<Void>] = []

  /// Creates an outbox; `start` or `run` starts it.
  ///
  /// - Parameters:
  ///   - persistence: A service whose migrations include `Outbox.migrations`.
  ///   - session: The session service; a logout deletes the outbox's rows and those of all synced
  ///     tables.
  ///   - table: Decides which failures are retried.
  ///   - parallelScopes: The number of scopes that send at the same time, at least 1.
  ///   - limit: The most entries that an account may have; `enqueue` throws `OutboxError.full` for
  ///     more. An entry that the server has acknowledged counts until stored data shows it. If no
  ///     engine reads the data, it counts for ever.
  ///   - deadLetterLimit: The most dead letters that are kept for an account, at least 1. When
  ///     there are more, the outbox removes the one that was refused first;
  ///     ``droppedDeadLetters()`` yields it.
  ///   - timeout: The longest time that a request may take.
  ///   - environment: The clock and the source of random numbers.
  public init(
    persistence: any PersistenceService, session: any SessionServiceProtocol,
    table: RetryTable = .standard, parallelScopes: Int = 4, limit: Int = 10_000,
    deadLetterLimit: Int = 1_000, timeout: Duration = .seconds(60),
    environment: SyncEnvironment = SyncEnvironment()
  ) {
    precondition(parallelScopes > 0, "At least one scope has to be sent.")
    precondition(deadLetterLimit > 0, "At least one dead letter has to be kept.")
    self.persistence = persistence
    self.session = session
    self.timeout = timeout
    journal = OutboxJournal(
      persistence: persistence, environment: environment, limit: limit,
      deadLetterLimit: deadLetterLimit)
    driver = Driver(environment: environment)
    machine = OutboxMachine(table: table, parallelScopes: parallelScopes)
    // The session holds the participant: a logout removes the rows even if no outbox exists.
    session.add(
      SessionParticipant("outbox and synced tables") { wipe in
        try await persistence.write { try $0.wipe(wipe) }
        try await persistence.eraseDeleted()
      })
    driver.join(session, as: "outbox", self)
  }

  deinit {
    driver.finish()
  }

  /// Starts to send, until nothing holds the outbox any more.
  ///
  /// A second call does nothing.
  public nonisolated func start() {
    driver.start(self)
  }

  /// Sends in the caller's task until that task is cancelled.
  ///
  /// Use it in a task group of your own. Call either this or `start`, and call it once.
  public nonisolated func run() async {
    await driver.run { self }
  }

  /// Sets how a collection's entries are sent; replaces an earlier sender.
  ///
  /// Without a sender the entries wait, and entries of other collections overtake them, also in the
  /// same scope. A ``SyncEngine`` registers its own sender. Without an engine no read would show a
  /// mutation, so every receipt counts as ``MutationReceipt/final``.
  ///
  /// - Parameters:
  ///   - collection: The collection's name.
  ///   - send: Sends an entry with its idempotency key, and returns when the server has the
  ///     mutation. It runs off any actor, for different scopes at the same time. It must end soon
  ///     after its task is cancelled. ``RemoteFailure/init(_:)`` classifies its errors.
  public nonisolated func register(
    _ collection: String,
    send: @escaping @concurrent @Sendable (OutboxEntry) async throws -> MutationReceipt
  ) {
    register(
      collection,
      OutboxRoute(send: { entry in
        _ = try await send(entry)
        return .final
      }))
  }

  nonisolated func register(_ collection: String, _ route: OutboxRoute) {
    registry.setRoute(route, for: collection)
    driver.send(.registered(collection))
  }

  /// Sends at once all entries that wait for a retry; call it when the connection is back, for
  /// example.
  public nonisolated func retryNow() {
    driver.send(.retryRequested)
  }

  /// Stores a mutation for the account that is signed in; returns after the commit.
  ///
  /// - Returns: The new entry, or the existing entry with the draft's key.
  /// - Throws: `SessionError` when no account is signed in or the session ends meanwhile,
  ///   `OutboxError.full`, `PersistenceError`, or `CancellationError` before anything is stored.
  @discardableResult
  public func enqueue(_ draft: OutboxDraft) async throws -> OutboxEntry {
    guard let ticket = session.current else { throw SessionError.signedOut }
    return try await enqueue(draft, as: ticket) { _, _ in }
  }

  /// Stores an entry and runs `alongside` in one transaction.
  func enqueue(
    _ draft: OutboxDraft, as ticket: SessionTicket,
    alongside: @escaping @Sendable (StoredDraft, any WriteTransaction) throws -> Void
  ) async throws -> OutboxEntry {
    adopt(ticket)
    while true {
      do {
        let stored = try await journal.store(draft, as: ticket, alongside: alongside)
        note(stored, as: ticket)
        return stored.entry
      } catch OutboxError.full(let limit) {
        // Receipts that are stored now may remove entries and make room.
        guard await saveReceipts() else { throw OutboxError.full(limit) }
        try Task.checkCancellation()
      }
    }
  }

  private func note(_ stored: StoredDraft, as ticket: SessionTicket) {
    let entry = stored.entry
    // If the entry existed, undo stays possible only if this run stored it and has not sent it.
    // Otherwise the server may have it, whatever its row says.
    if stored.isNew, ticket == driver.ticket { machine.noteOwn(entry.sequence) }
    if stored.isNew, ticket == driver.ticket, driver.isRunning,
      stored.previous <= machine.loadedUpTo, entry.sequence > machine.loadedUpTo
    {
      // No other entry was stored in between, so there is nothing else to load.
      cache.insert(entry)
      handle(.loaded([OutboxMachine.Item(entry)]))
    } else {
      driver.send(.stored)
    }
    if stored.isNew { registry.tell(.stored(entry.sequence), about: entry) }
  }

  /// Removes an entry that was never sent, and its effect on the rows.
  func remove(_ entry: OutboxEntry, as ticket: SessionTicket) async throws {
    guard ticket == driver.ticket, machine.hold(entry.sequence) else {
      throw OutboxError.alreadySent(entry.key)
    }
    do {
      let route = registry.route(for: entry.collection)
      try await persistence.write(as: ticket) { transaction in
        try transaction.removeEntry(entry.sequence)
        try route?.show([entry], transaction)
      }
    } catch {
      perform(machine.release(entry.sequence, now: driver.environment.now()))
      throw error
    }
    _ = cache.take(entry.sequence)
    handle(.gone(entry.sequence))
    registry.tell(.removed, about: entry)
  }

  /// Whether the outbox holds no state of any entry.
  var isIdle: Bool { machine.count == 0 && attempts.isEmpty && receipts.isEmpty }
  /// Whether receipts are not stored.
  var holdsReceipts: Bool { !receipts.isEmpty }
  /// Whether a caller waits until receipts are stored.
  var waitsForReceipts: Bool { !receiptWaiters.isEmpty }
}

// MARK: The loop

extension Outbox {
  func sessionBegan() async {
    await load()
  }

  func forget() {
    for attempt in attempts.values { attempt.giveUp() }
    attempts = [:]
    receipts = [:]
    cache = EntryCache()
    handle(.reset)
  }

  func take(_ signal: Signal) async {
    switch signal {
    case .registered(let collection): handle(.registered(collection))
    case .stored: await load()
    case .retryRequested:
      handle(.retryRequested)
      await load()
    }
  }

  func wake() {
    handle(.woken)
  }

  /// Loads the entries that other callers have committed, in this process or another process.
  ///
  /// Entries are ordered by their commits, even if the calls that stored them return in another
  /// order.
  private func load() async {
    guard let ticket = driver.ticket else { return }
    let known = machine.loadedUpTo
    let loaded = try? await journal.waiting(of: ticket.account, after: known)
    guard ticket == driver.ticket, ticket.isCurrent else { return }
    if let loaded {
      handle(.loaded(loaded.map { .init($0, driver.environment, machine.table.backoff) }))
    } else {
      handle(.notLoaded(random: driver.environment.random()))
    }
  }

  /// Passes an event to the machine and starts what the machine decides.
  ///
  /// - Returns: The change of the entry that the caller has to store.
  @discardableResult
  private func handle(_ event: OutboxMachine.Event) -> OutboxMachine.Change? {
    perform(machine.handle(event, now: driver.environment.now()))
  }

  @discardableResult
  private func perform(_ decision: OutboxMachine.Decision) -> OutboxMachine.Change? {
    for sequence in decision.sends {
      driver.spawn { find in await Self.send(sequence, find) }
    }
    if decision.loads { driver.spawn { find in await find()?.load() } }
    if !decision.saves.isEmpty {
      driver.spawn { find in await find()?.save(decision.saves) }
    }
    driver.setAlarm(at: decision.wake)
    if !machine.isSaving, !receiptWaiters.isEmpty {
      for waiter in receiptWaiters { waiter.resume() }
      receiptWaiters = []
    }
    return decision.change
  }
}

// MARK: Sending

extension Outbox {
  /// Sends an entry; holds no outbox while the request is in progress.
  private static func send(_ sequence: Int64, _ find: Driver<Outbox>.Find) async {
    guard let sending = await find()?.begin(sequence) else { return }
    let answer: Result<MutationReceipt, RemoteFailure>
    do {
      let receipt = try await sending.attempt.perform(
        timeout: sending.timeout, sending.environment
      ) {
        try await sending.ticket.run { try await sending.route.send(sending.entry) }
      }
      answer = .success(receipt)
    } catch {
      // The send was cancelled because the session or the outbox has ended; the answer has no use.
      if Task.isCancelled || !sending.ticket.isCurrent { return }
      answer = .failure(RemoteFailure(error))
    }
    await find()?.settle(sending, answer)
  }

  private func begin(_ sequence: Int64) async -> OutboxSending? {
    guard let ticket = driver.ticket, ticket.isCurrent else { return nil }
    let attempt = Attempt()
    attempts[sequence] = attempt
    do {
      let entry = try await entry(sequence, as: ticket)
      guard ticket == driver.ticket else { return nil }
      guard let entry, let route = registry.route(for: entry.collection) else {
        attempts[sequence] = nil
        handle(.gone(sequence))
        return nil
      }
      return OutboxSending(
        entry: entry, ticket: ticket, route: route, attempt: attempt, timeout: timeout,
        environment: driver.environment)
    } catch {
      guard ticket == driver.ticket else { return nil }
      attempts[sequence] = nil
      handle(.notStored(sequence, random: driver.environment.random()))
      return nil
    }
  }

  private func entry(_ sequence: Int64, as ticket: SessionTicket) async throws -> OutboxEntry? {
    var found = cache.take(sequence)
    if found == nil {
      let entries = try await journal.entries(from: sequence, of: ticket.account)
      guard ticket == driver.ticket, entries.first?.sequence == sequence else { return nil }
      found = entries.first
      cache = EntryCache(entries.dropFirst())
    }
    // The row may have been read before the last attempt was stored.
    found?.attempts = machine.attempts(of: sequence)
    return found
  }

  private func settle(
    _ sending: OutboxSending, _ answer: Result<MutationReceipt, RemoteFailure>
  ) async {
    let (entry, ticket) = (sending.entry, sending.ticket)
    guard ticket == driver.ticket else { return }
    attempts[entry.sequence] = nil
    switch answer {
    case .success(let receipt):
      receipts[entry.sequence] = OutboxReceipt(
        entry: entry, route: sending.route, receipt: receipt)
      let isReadSoon = receipt != .final && registry.expectsRead(of: entry)
      handle(.answered(entry.sequence, .receipt(isReadSoon: isReadSoon)))
      registry.tell(.acknowledged(isReadSoon: isReadSoon), about: entry)
    case .failure(let failure):
      let random = driver.environment.random()
      let change = handle(.answered(entry.sequence, .failure(failure, random: random)))
      guard let change else { return }
      await store(change, of: sending)
    }
  }

  private func store(_ change: OutboxMachine.Change, of sending: OutboxSending) async {
    let (entry, ticket) = (sending.entry, sending.ticket)
    do {
      let (told, letter, tooMany) = try await journal.save(
        change, of: entry, sending.route, as: ticket)
      if let letter { rejected.send(letter, beginning: nil) }
      for letter in tooMany { dropped.send(letter, beginning: nil) }
      guard ticket == driver.ticket else { return }
      handle(.stored(entry.sequence))
      registry.tell(told, about: entry)
    } catch {
      guard ticket == driver.ticket else { return }
      // The answer is lost. The entry is sent again under the same key.
      handle(.notStored(entry.sequence, random: driver.environment.random()))
      registry.tell(.failed(RemoteFailure(error)), about: entry)
    }
  }
}

// MARK: Receipts

/// The server has applied the mutation of each receipt, and answers a repeated key as before. If
/// the process ends before a receipt is stored, the outbox sends one more request. So it can store
/// several receipts in one transaction.
extension Outbox {
  /// Stores the receipts that no transaction is storing yet, and waits for the other transactions.
  ///
  /// - Returns: Whether there was any receipt. A receipt that could not be stored by itself does not
  ///   count.
  private func saveReceipts() async -> Bool {
    let sequences = machine.claimReceipts { _ in true }
    await save(sequences)
    guard machine.isSaving else { return !sequences.isEmpty }
    let waiter = Waiter<Void>()
    receiptWaiters.append(waiter)
    await waiter.value { $0.resume() }
    return true
  }

  /// Stores receipts in one transaction; if that fails, each receipt gets its own transaction.
  private func save(_ sequences: [Int64]) async {
    guard let ticket = driver.ticket else { return }
    let batch = sequences.compactMap { receipts[$0] }
    if batch.count > 1, let covered = try? await journal.save(batch, as: ticket) {
      return finish(batch, covered, as: ticket)
    }
    await saveEach(batch, as: ticket)
  }

  /// Stores each receipt in its own transaction.
  private func saveEach(_ batch: [OutboxReceipt], as ticket: SessionTicket) async {
    for receipt in batch {
      do {
        let covered = try await journal.save([receipt], as: ticket)
        finish([receipt], covered, as: ticket)
      } catch {
        guard ticket == driver.ticket else { return }
        handle(.notSaved([receipt.entry.sequence], random: driver.environment.random()))
        registry.tell(.failed(RemoteFailure(error)), about: receipt.entry)
      }
    }
  }

  private func finish(_ batch: [OutboxReceipt], _ covered: [Bool], as ticket: SessionTicket) {
    guard ticket == driver.ticket else { return }
    forget(batch)
    for (receipt, isCovered) in zip(batch, covered) {
      registry.tell(.saved(isCovered: isCovered), about: receipt.entry)
    }
  }

  private func forget(_ batch: [OutboxReceipt]) {
    for receipt in batch { receipts[receipt.entry.sequence] = nil }
    handle(.saved(batch.map(\.entry.sequence)))
  }

  /// The entries of a scope whose receipts name no version and are not stored.
  func unversionedReceipts(_ collection: String, _ scope: SyncScope) -> [Int64] {
    receipts.values
      .filter { $0.isOf(collection, scope) && $0.receipt == .coveredByNextRead }
      .map(\.entry.sequence)
  }

  /// Runs a transaction that first stores the receipts of a scope.
  ///
  /// Receipts that another transaction is storing already are left out: it commits before this one.
  /// If a receipt cannot be stored, each receipt gets its own transaction, and the body runs
  /// without them. Otherwise that receipt would make all reads of the scope fail.
  func write<T: Sendable>(
    as ticket: SessionTicket, withReceiptsOf collection: String, _ scope: SyncScope,
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    let claimed =
      ticket == driver.ticket
      ? machine.claimReceipts { receipts[$0]?.isOf(collection, scope) == true } : []
    let batch = claimed.compactMap { receipts[$0] }
    do {
      let value = try await persistence.write(as: ticket) { transaction in
        do {
          _ = try transaction.store(batch)
        } catch {
          throw ReceiptsNotStored()
        }
        return try body(transaction)
      }
      if ticket == driver.ticket { forget(batch) }
      return value
    } catch is ReceiptsNotStored {
      await saveEach(batch, as: ticket)
      return try await persistence.write(as: ticket, body)
    } catch {
      if ticket == driver.ticket { handle(.unclaimed(claimed)) }
      throw error
    }
  }

  /// Stores the receipts of a scope soon, because the read that should have stored them has failed.
  func readFailed(_ collection: String, _ scope: SyncScope) {
    handle(
      .readFailed(receipts.values.filter { $0.isOf(collection, scope) }.map(\.entry.sequence)))
  }
}

extension OutboxReceipt {
  fileprivate func isOf(_ collection: String, _ scope: SyncScope) -> Bool {
    entry.collection == collection && entry.scope == scope
  }
}
