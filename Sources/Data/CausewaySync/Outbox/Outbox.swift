public import CausewayBasics
public import CausewayDatabase
public import CausewayNetwork
import Foundation
import Synchronization

/// Stores mutations, sends them in order, and keeps them until stored data contains them.
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
/// After `enqueue` has returned, the mutation is not lost if the process ends at any moment. The
/// outbox sends it, each time with the same ``IdempotencyKey``, until the server has answered and
/// the answer is stored. The server applies each key once. The outbox sends the entries of one
/// scope one after another, and the entries of different scopes in parallel. A refused entry
/// becomes a ``DeadLetter``. Dead letters and entries without a sender delay no other entries.
///
/// Entries belong to the account that was signed in when they were stored. A logout removes them. If
/// the session ends without a logout, because the server has ended it or another account has signed
/// in, the entries that the server does not have and the dead letters stay. They are sent when their
/// account signs in again. No other account sees them.
public actor Outbox: LoopingActor {
  /// The signals of the outbox's loop.
  enum Signal: Hashable, Sendable {
    /// A sender was registered for a collection.
    case registered(String)
    /// There are stored entries that the machine has not loaded yet.
    case stored
    case retryRequested
    case reached
  }

  /// The service that stores the entries.
  public nonisolated let persistence: any PersistenceService
  /// The session service; the outbox sends the entries of its account.
  public nonisolated let session: any SessionServiceProtocol
  nonisolated let loop: ActorLoop<Outbox>
  nonisolated let registry = OutboxRegistry()
  nonisolated let timeout: Duration
  nonisolated let strandedReport: StrandedReport
  /// Ends the waits of all entries and engines that could not reach the server.
  nonisolated let contact: ServerContact
  private nonisolated let journal: OutboxJournal

  private var machine: OutboxMachine
  /// The requests in progress by their first entry.
  private var attempts: [Int64: Attempt] = [:]
  private var cache = EntryCache()
  private let receipts: ReceiptStore
  /// The collections whose shown rows got their marks after a sender was registered.
  private var shownCollections: Set<String> = []

  /// Makes an outbox; `start` or `run` starts it.
  ///
  /// - Parameters:
  ///   - persistence: A service whose migrations include `Outbox.migrations`.
  ///   - session: The session service; a logout deletes the rows of the outbox and of all synced
  ///     tables. Any other end of a session keeps the unsent mutations of the account.
  ///   - table: Decides which failures are retried.
  ///   - parallelScopes: The number of scopes whose entries are sent in parallel, at least 1.
  ///     Uploads of files have a separate limit of the same size.
  ///   - limit: The largest number of entries of an account; `enqueue` throws `OutboxError.full`
  ///     above it. An entry that the server has acknowledged counts until stored data contains it.
  ///     If no engine reads that data, the entry counts forever.
  ///   - deadLetterLimit: The largest number of dead letters of an account, at least 1. Above it,
  ///     the outbox removes the dead letter that was refused first, and ``droppedDeadLetters()``
  ///     yields it. Mutations that become dead letters together all stay.
  ///   - timeout: The longest time for a request.
  ///   - surroundings: The clock and the source of random numbers.
  ///   - report: Receives the mutations that the app has neither sent nor confirmed after ten
  ///     seconds. The outbox reports once in each session. With `nil`, it prints a line on standard
  ///     error.
  public init(
    persistence: any PersistenceService, session: any SessionServiceProtocol,
    table: RetryTable = .standard, parallelScopes: Int = 4, limit: Int = 10_000,
    deadLetterLimit: Int = 1_000, timeout: Duration = .seconds(60),
    surroundings: Surroundings = Surroundings(),
    report: (@Sendable (StrandedMutations) -> Void)? = nil
  ) {
    precondition(parallelScopes > 0, "At least one scope has to be sent.")
    precondition(deadLetterLimit > 0, "At least one dead letter has to be kept.")
    self.persistence = persistence
    self.session = session
    self.timeout = timeout
    strandedReport = StrandedReport(report)
    journal = OutboxJournal(
      persistence: persistence, surroundings: surroundings, limit: limit,
      deadLetterLimit: deadLetterLimit)
    let loop = ActorLoop<Outbox>(surroundings: surroundings)
    self.loop = loop
    receipts = ReceiptStore(journal, registry, loop)
    // The contact must not retain the registry: the registry retains the routes, a route retains
    // the network service, and the network service may retain the contact.
    contact = ServerContact { [weak loop, weak registry] in
      loop?.send(.reached)
      registry?.tellReached()
    }
    machine = OutboxMachine(table: table, parallelScopes: parallelScopes)
    session.add(Self.participant(persistence))
    loop.join(session, as: "outbox", self)
  }

  deinit {
    loop.finish()
  }

  /// Sends a dead letter again after all entries, followed by the dead letters that require it.
  ///
  /// A mutation that the server has refused gets a new key, because the server may remember its
  /// refusal of the old key. Every other mutation keeps its key, because the server may have
  /// applied it, for example if its response could not be decoded. With the same key the server
  /// does not apply it twice.
  ///
  /// If a dead letter requires another dead letter, first send the required one again, or discard
  /// it. After the required one was discarded, the other can be sent alone.
  ///
  /// - Returns: The key of the new entry.
  /// - Throws: `OutboxError.notFound`, `requiresDeadLetter` or `full`; `SessionError`,
  ///   `PersistenceError` or `CancellationError`.
  @discardableResult
  public func resend(_ key: IdempotencyKey) async throws -> IdempotencyKey {
    guard let ticket = session.current else { throw SessionError.signedOut }
    let entries = try await makingRoom { try await journal.revive(key, registry, as: ticket) }
    loop.send(.stored)
    let first = entries[0]
    if first.key != key { registry.end(first.collection, first.account, key, nil) }
    for entry in entries { registry.tell(.stored(entry.sequence), about: entry) }
    return first.key
  }

  /// Makes a waiting mutation a dead letter, so the mutations behind it are sent.
  ///
  /// Use it for a mutation that the server always answers with an error, for example with status
  /// 500. Such a mutation delays all later mutations of its scope. The mutations that require it
  /// and the later mutations of its record become dead letters too. ``resend(_:)`` sends all of
  /// them again in their order, with their keys. The limit of a ``RetryTable`` for the kind
  /// `serverFault` does the same after a number of failures.
  ///
  /// - Throws: `OutboxError.isSending` while the server has not answered a request with the
  ///   mutation; `OutboxError.notFound` if the server has accepted it;
  ///   `OutboxError.tooManyDeadLetters`, without any change, if the account would then have more
  ///   dead letters than the limit; `SessionError`, `PersistenceError` or `CancellationError`.
  public func setAside(_ key: IdempotencyKey) async throws {
    guard let ticket = session.current else { throw SessionError.signedOut }
    let entry = try await persistence.read { try $0.outboxEntry(key, of: ticket.account) }
    guard let entry else { throw OutboxError.notFound(key) }
    guard machine.holdIdle(entry.sequence) else { throw OutboxError.isSending(key) }
    do {
      let end = try await journal.setAside(entry, registry, as: ticket)
      registry.tell(end.buried, dropped: end.dropped)
      _ = cache.take(entry.sequence)
      handle(.gone([entry.sequence]))
      registry.tell(end.told, about: entry)
      removeOrphans(end.buried.dropFirst())
    } catch {
      perform(machine.release(entry.sequence, now: loop.surroundings.now()))
      throw error
    }
  }

  /// Stores an entry and runs `alongside` in one transaction.
  func enqueue(
    _ draft: OutboxDraft, as ticket: SessionTicket,
    alongside: @escaping @Sendable (StoredDraft, any WriteTransaction) throws -> Void
  ) async throws -> OutboxEntry {
    adopt(ticket)
    let stored = try await makingRoom {
      try await journal.store(draft, as: ticket, alongside: alongside)
    }
    note(stored, as: ticket)
    return stored.entry
  }

  /// Runs a transaction that adds entries; if the outbox is full, tries to make room.
  ///
  /// It makes room by storing the waiting receipts, which may remove entries.
  private func makingRoom<T>(_ store: () async throws -> T) async throws -> T {
    while true {
      do {
        return try await store()
      } catch OutboxError.full(let limit) {
        guard await saveReceipts() else { throw OutboxError.full(limit) }
        try Task.checkCancellation()
      }
    }
  }

  private func note(_ stored: StoredDraft, as ticket: SessionTicket) {
    let entry = stored.entry
    if stored.isNew { noteNeeds(of: CollectionOfOne((entry.collection, entry.scope)), ticket) }
    // Undo is possible only for an entry that this run has stored and not sent. The server may have
    // any other entry, whatever the entry's row says.
    if stored.isNew, ticket == loop.ticket { machine.noteOwn(entry.sequence) }
    if stored.isNew, ticket == loop.ticket, loop.isRunning,
      stored.previous <= machine.loadedUpTo, entry.sequence > machine.loadedUpTo
    {
      // No other entry was stored in between, so no other entry must be loaded.
      handle(.loaded([OutboxMachine.Item(entry, requires: stored.requires)]))
      // A later transaction may already have removed the entry.
      if machine.contains(entry.sequence) { cache.insert(entry) }
    } else {
      loop.send(.stored)
    }
    if stored.isNew { registry.tell(.stored(entry.sequence), about: entry) }
  }

  /// Removes an entry that was never sent, and its effect on the rows.
  func remove(_ entry: OutboxEntry, as ticket: SessionTicket) async throws {
    guard ticket == loop.ticket, machine.hold(entry.sequence) else {
      throw OutboxError.alreadySent(entry.key)
    }
    do {
      let end = try await journal.undo(entry, registry, as: ticket)
      registry.tell(end.buried, dropped: end.dropped)
      removeOrphans(end.buried[...])
    } catch {
      perform(machine.release(entry.sequence, now: loop.surroundings.now()))
      throw error
    }
    _ = cache.take(entry.sequence)
    handle(.gone([entry.sequence]))
    registry.tell(.removed, about: entry)
    registry.end(entry.collection, entry.account, entry.key, entry.payload)
  }

  /// Removes entries that became dead letters because a mutation that they require failed.
  private func removeOrphans(_ orphans: ArraySlice<BuriedEntry>) {
    guard !orphans.isEmpty else { return }
    for orphan in orphans { _ = cache.take(orphan.entry.sequence) }
    handle(.gone(orphans.map(\.entry.sequence)))
    for orphan in orphans {
      let failure = RemoteFailure(orphan.letter.reason, orphan.letter.message)
      registry.tell(.rejected(failure), about: orphan.entry)
    }
  }

  var isIdle: Bool { machine.count == 0 && attempts.isEmpty && receipts.isEmpty }
  var holdsReceipts: Bool { !receipts.isEmpty }
  var waitsForReceipts: Bool { receipts.hasWaiters }
}

extension Outbox {
  func sessionBegan() async {
    await load()
  }

  func reset() {
    for attempt in attempts.values { attempt.giveUp() }
    attempts = [:]
    receipts.removeAll()
    cache = EntryCache()
    handle(.reset)
  }

  /// After the loop has ended, callers of `enqueue` store the receipts.
  func loopEnded() {
    machine.returnReceipts(receipts.takePlanned(), now: loop.surroundings.now())
    receipts.resumeWaiters()
  }

  func take(_ signal: Signal) async {
    switch signal {
    case .registered(let collection):
      let route = registry.route(for: collection)
      handle(
        .registered(
          collection, batchLimit: route?.batchLimit ?? 1, limitsTime: route?.limitsTime ?? true))
      if let route, shownCollections.insert(collection).inserted,
        (try? await journal.showMarkedRows(route)) == nil
      {
        shownCollections.remove(collection)
      }
    case .stored: await load()
    case .retryRequested:
      handle(.retryRequested)
      await load()
    case .reached: handle(.reached)
    }
  }

  func wake() {
    handle(.woken)
  }

  /// Loads the committed entries that the machine does not have yet, in the order of their commits.
  private func load() async {
    guard let ticket = loop.ticket else { return }
    let loaded = try? await journal.waiting(of: ticket.account, after: machine.loadedUpTo)
    guard ticket == loop.ticket, ticket.isCurrent else { return }
    if let loaded {
      noteNeeds(of: loaded.lazy.map { ($0.collection, $0.scope) }, ticket)
      handle(.loaded(loaded.map { .init($0, loop.surroundings, machine.table) }))
    } else {
      handle(.notLoaded(random: loop.surroundings.random()))
    }
  }

  /// Passes an event to the machine and executes the machine's decision.
  ///
  /// - Returns: The change of the entry that the caller has to store.
  @discardableResult
  private func handle(_ event: OutboxMachine.Event) -> OutboxMachine.Change? {
    perform(machine.handle(event, now: loop.surroundings.now()))
  }

  @discardableResult
  private func perform(_ decision: OutboxMachine.Decision) -> OutboxMachine.Change? {
    for sequences in decision.sends {
      loop.spawn { find in await Self.send(sequences, find) }
    }
    if decision.loads { loop.spawn { find in await find()?.load() } }
    if !decision.saves.isEmpty {
      receipts.plan(decision.saves)
      let isPlanned = loop.spawn { find in await find()?.save(decision.saves) }
      if !isPlanned { loopEnded() }
    }
    loop.setAlarm(at: decision.wake)
    if decision.isReachedAgain { registry.tellReached() }
    if !machine.isSaving { receipts.resumeWaiters() }
    return decision.change
  }
}

// MARK: Sending

extension Outbox {
  /// Sends entries in one request; does not retain the outbox while the request is in progress.
  private static func send(_ sequences: [Int64], _ find: ActorLoop<Outbox>.Find) async {
    guard let sending = await find()?.begin(sequences), let answer = await sending.perform()
    else { return }
    await find()?.settle(sending, answer)
  }

  private func begin(_ sequences: [Int64]) async -> OutboxSending? {
    let first = sequences[0]
    guard let ticket = loop.ticket, ticket.isCurrent else { return nil }
    let attempt = Attempt()
    attempts[first] = attempt
    do {
      let entries = try await entries(sequences, as: ticket)
      guard ticket == loop.ticket else { return nil }
      guard let entry = entries.first, let route = registry.route(for: entry.collection) else {
        attempts[first] = nil
        handle(.gone([first]))
        return nil
      }
      machine.shorten(first, to: entries.count)
      return OutboxSending(
        entries: entries, ticket: ticket, contact: contact, route: route, attempt: attempt,
        timeout: route.limitsTime ? timeout : nil, surroundings: loop.surroundings)
    } catch {
      guard ticket == loop.ticket else { return nil }
      attempts[first] = nil
      handle(.notStored(first, random: loop.surroundings.random()))
      return nil
    }
  }

  /// The entries of a batch, up to the first entry that is missing or too large for the batch.
  private func entries(
    _ sequences: [Int64], as ticket: SessionTicket
  ) async throws -> [OutboxEntry] {
    var found = sequences.compactMap { cache.take($0) }
    if found.count < sequences.count {
      let entries = try await journal.entries(sequences, of: ticket.account)
      guard ticket == loop.ticket else { return [] }
      found = Array(entries.prefix(sequences.count))
      if sequences.count == 1 { cache = EntryCache(entries.dropFirst()) }
    }
    found = zip(found, sequences).prefix { $0.0.sequence == $0.1 }.map(\.0)
    found = cache.keepExcess(of: found)
    guard !found.isEmpty else { return [] }
    // The row may have been read before the last attempt was stored.
    found[0].attempts = machine.attempts(of: sequences[0])
    return found
  }

  private func settle(
    _ sending: OutboxSending, _ answer: Result<OutboxRoute.Results, RemoteFailure>
  ) async {
    guard sending.ticket == loop.ticket, let first = sending.entries.first else { return }
    attempts[first.sequence] = nil
    if case .failure(let failure) = answer, sending.maySplit(after: failure) {
      handle(.split(first.sequence, isTimeout: failure.kind == .timedOut))
    }
    let results = sending.results(of: answer, machine.table)
    for (entry, result) in zip(sending.entries, results) {
      guard await settle(entry, result, of: sending) else { return }
    }
    if results.count < sending.entries.count {
      handle(.unanswered(sending.entries[results.count].sequence))
    }
  }

  /// Returns whether the results of the later entries count.
  ///
  /// They do not count after a failure that is retried: the later entries are sent again after the
  /// failed entry.
  private func settle(
    _ entry: OutboxEntry, _ result: Result<MutationReceipt, RemoteFailure>,
    of sending: OutboxSending
  ) async -> Bool {
    switch result {
    case .success(let receipt):
      receipts.add(OutboxReceipt(entry: entry, route: sending.route, receipt: receipt))
      let isReadSoon = receipt != .final && registry.expectsRead(of: entry)
      handle(.answered(entry.sequence, .receipt(isReadSoon: isReadSoon)))
      registry.tell(.acknowledged(isReadSoon: isReadSoon), about: entry)
      return true
    case .failure(let failure):
      let random = loop.surroundings.random()
      let change = handle(.answered(entry.sequence, .failure(failure, random: random)))
      guard let change else { return false }
      let isStored = await store(change, of: entry, sending)
      guard isStored, sending.ticket == loop.ticket, case .rejected = change else { return false }
      return true
    }
  }

  private func store(
    _ change: OutboxMachine.Change, of entry: OutboxEntry, _ sending: OutboxSending
  ) async -> Bool {
    let ticket = sending.ticket
    do {
      let end = try await journal.save(change, of: entry, sending.route, registry, as: ticket)
      registry.tell(end.buried, dropped: end.dropped)
      guard ticket == loop.ticket else { return false }
      removeOrphans(end.buried.dropFirst())
      handle(.stored(entry.sequence))
      registry.tell(end.told, about: entry)
      return true
    } catch {
      guard ticket == loop.ticket else { return false }
      // The answer could not be stored. The entry is sent again with the same key.
      handle(.notStored(entry.sequence, random: loop.surroundings.random()))
      registry.tell(.failed(RemoteFailure(error)), about: entry)
      return false
    }
  }
}

// MARK: Receipts

extension Outbox {
  /// Stores the receipts that no transaction is storing yet, and waits for the other transactions.
  ///
  /// - Returns: `false` if there were no receipts, or only receipts that could not be stored alone.
  private func saveReceipts() async -> Bool {
    let sequences = machine.claimReceipts()
    await save(sequences)
    guard machine.isSaving else { return !sequences.isEmpty }
    await receipts.wait()
    return true
  }

  private func save(_ sequences: [Int64]) async {
    await receipts.save(sequences) { handle($0) }
  }

  /// The entries of a scope whose receipts name no version and are not stored.
  func unversionedReceipts(_ collection: String, _ scope: SyncScope) -> [Int64] {
    receipts.unversioned(collection, scope)
  }

  /// Runs a transaction that first stores the receipts of a scope.
  ///
  /// Receipts that another transaction is storing are left out.
  func write<T: Sendable>(
    as ticket: SessionTicket, withReceiptsOf collection: String, _ scope: SyncScope,
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    let claimed =
      ticket == loop.ticket
      ? machine.claimReceipts(receipts.sequences(of: collection, scope)) : []
    return try await receipts.write(as: ticket, storing: claimed, { handle($0) }, body)
  }

  /// Stores the receipts of a scope soon, because the read that should have stored them failed.
  func readFailed(_ collection: String, _ scope: SyncScope) {
    handle(.readFailed(Array(receipts.sequences(of: collection, scope))))
  }
}
