public import CausewayBasics
import CausewayDatabase
public import CausewayNetwork
import Foundation
import Synchronization

/// Keeps a scope of a synced table up to date.
///
/// The engine reads from the server, shows mutations at once, and sends them through the outbox.
///
/// ```swift
/// let engine = SyncEngine(source: NoteServer(), table: notes, outbox: outbox)
/// engine.start()
/// for try await notes in engine.observe() { … }      // what is stored, at once
/// try await engine.perform(NoteMutation.write(note)) // shown, stored, and sent when possible
/// ```
///
/// The engine stores a response only in the scope and session of its request, and only if nothing
/// newer was stored since the request began. An engine ends when it is released.
public actor SyncEngine<Source: RemoteSource>: LoopingActor {
  /// The type of the synced records.
  public typealias Record = Source.Mutation.Record

  /// The signals of the engine's loop.
  enum Signal: Hashable, Sendable {
    case outboxChanged
    /// A hint has arrived, in the session with this number.
    case hint(epoch: Int)
    case hintsEnded(epoch: Int, RemoteFailure?)
    case refreshRequested
    case retryRequested
    case reached
  }

  /// The part of the server's data that this engine keeps up to date.
  public nonisolated let scope: SyncScope
  /// The table that stores the records.
  public nonisolated let table: SyncedTable<Record>
  /// The outbox that stores and sends the mutations.
  public nonisolated let outbox: Outbox

  nonisolated let loop: ActorLoop<SyncEngine>
  /// The running read holds this lock.
  nonisolated let lock = AsyncLock()
  private nonisolated let source: Source
  private nonisolated let outboxChanges = PendingOutboxChanges()
  private nonisolated let statusBroadcast = Broadcast<SyncStatus>(SyncStatus(), buffering: .latest)
  private nonisolated let observation: Registration

  private var machine: FollowMachine
  private var pending = PendingCount()
  private var mutationError: RemoteFailure?
  /// The last published status.
  ///
  /// An equal status is not published again.
  private var published = SyncStatus()
  /// The number of reads that have begun.
  ///
  /// A call to `refresh` uses it to detect a later read. If that read succeeds, the call does not
  /// read.
  private var begunReads = 0
  private var succeededRead = 0
  /// Whether acknowledged entries were left after the last successful read.
  private var isBehind = false
  private var attempt: Attempt?
  private var hints: Attempt?

  /// Makes an engine; `start` or `run` starts it.
  ///
  /// - Parameters:
  ///   - source: The server's side.
  ///   - table: The table that stores the records; its migration must have been applied.
  ///   - scope: The part of the server's data to keep up to date.
  ///   - outbox: The outbox for the mutations; it also provides the persistence service and the
  ///     session.
  ///   - retries: Determines the waits after failed reads.
  ///   - pollInterval: The time between reads if the server has no hints; `nil` for no polling.
  public init(
    source: Source, table: SyncedTable<Record>, scope: SyncScope = .all, outbox: Outbox,
    retries: RetryTable = .standard, pollInterval: Duration? = .seconds(60)
  ) {
    self.source = source
    self.table = table
    self.scope = scope
    self.outbox = outbox
    machine = FollowMachine(table: retries, pollInterval: pollInterval)
    let loop = ActorLoop<SyncEngine>(surroundings: outbox.loop.surroundings)
    self.loop = loop
    outbox.register(table.name, Self.route(source, table))
    observation = outbox.registry.add(
      Observer(changes: outboxChanges, loop: loop), of: table.name, in: scope)
    loop.join(outbox.session, as: "engine of \(table.name) in \(scope)", self)
  }

  deinit {
    loop.finish()
  }

  /// Starts to follow the server, and continues until the engine is released.
  ///
  /// A second call does nothing.
  public nonisolated func start() {
    loop.start(self)
  }

  /// Follows the server in the caller's task until that task is cancelled.
  ///
  /// Use it in your own task group. Call either this function or `start`, and only once.
  public nonisolated func run() async {
    await loop.run { self }
  }

  /// Yields the current status and then its changes; a slow consumer gets the latest status.
  ///
  /// The stream is registered when this function returns. It ends with the engine.
  public nonisolated func statuses() -> AsyncStream<SyncStatus> { statusBroadcast.stream() }

  /// Immediately retries all reads and entries that wait, for example when a connection is back.
  public nonisolated func retryNow() {
    outbox.retryNow()
    loop.send(.retryRequested)
  }

  /// Stores a mutation and shows its effect; the outbox then sends it.
  ///
  /// - Parameters:
  ///   - mutation: The change to make here and on the server.
  ///   - key: The identity of the mutation; a key is stored only once. Default: a new key.
  /// - Returns: The key. The caller can use it to undo the mutation until it is sent.
  /// - Throws: `SessionError` if no account is signed in or the session ends in the meantime;
  ///   `OutboxError.full`; `EncodingError`; `PersistenceError`; `CancellationError` before anything
  ///   is stored.
  @discardableResult
  public func perform(
    _ mutation: Source.Mutation, key: IdempotencyKey? = nil
  ) async throws -> IdempotencyKey {
    try await store(mutation, key) { _, _ in }
  }

  /// Stores a mutation if the shown record meets a condition; the outbox then sends it.
  ///
  /// The record is read in the transaction that stores the mutation, so no other change of the
  /// record can come in between.
  ///
  /// ```swift
  /// try await engine.perform(.star(id)) { note in note?.isStarred == false }
  /// ```
  ///
  /// - Parameters:
  ///   - mutation: The change to make here and on the server.
  ///   - key: The identity of the mutation; a key is stored only once. Default: a new key.
  ///   - condition: Receives the shown record; `nil` if there is none. Called inside of the
  ///     transaction, on no actor, and not for a key that is stored already. It must not block.
  /// - Returns: The key; `nil` if the condition is not met. In that case, nothing was stored.
  /// - Throws: The errors of `perform(_:key:)`, and the error of the condition. After an error of
  ///   the condition, nothing was stored.
  @discardableResult
  public func perform(
    _ mutation: Source.Mutation, key: IdempotencyKey? = nil,
    if condition: @escaping @Sendable (Record?) throws -> Bool
  ) async throws -> IdempotencyKey? {
    do {
      return try await store(mutation, key) { [table] entry, transaction in
        let shown = try table.shown(
          mutation.recordID, entry.account, entry.scope, in: transaction)
        guard try condition(shown) else { throw ConditionNotMet() }
      }
    } catch is ConditionNotMet {
      return nil
    }
  }

  /// - Parameter check: Called in the transaction before the effect of a new entry is shown.
  private func store(
    _ mutation: Source.Mutation, _ key: IdempotencyKey?,
    _ check: @escaping @Sendable (OutboxEntry, any WriteTransaction) throws -> Void
  ) async throws -> IdempotencyKey {
    guard let ticket = outbox.session.current else { throw SessionError.signedOut }
    let draft = OutboxDraft(
      key: key ?? outbox.loop.surroundings.makeKey(), collection: table.name, scope: scope,
      kind: mutation.kind,
      payload: try JSONEncoder().encode(mutation), dependencies: mutation.dependencies,
      entity: mutation.recordID.sqlValue)
    let entry = try await outbox.enqueue(draft, as: ticket) { [table] stored, transaction in
      // If the entry existed before, its effect is already shown.
      guard stored.isNew else { return }
      try check(stored.entry, transaction)
      try table.show(mutation, of: stored.entry, in: transaction)
    }
    return entry.key
  }

  /// Reads from the server and stores the response, even if the engine was not started.
  ///
  /// Reads run one after another. If a read begins after this call and succeeds, it serves all
  /// waiting callers.
  ///
  /// - Throws: `SessionError`, `RemoteFailure` or another error of the source, `PersistenceError`,
  ///   or `CancellationError`.
  public func refresh() async throws {
    guard let ticket = outbox.session.current else { throw SessionError.signedOut }
    adopt(ticket)
    handle(.readBegan)
    try await read(as: ticket)
  }

  /// Waits until no other read runs, reads for a session, and reports the result to the machine.
  private func read(as ticket: SessionTicket) async throws {
    let asked = begunReads
    do {
      try await lock.withLock {
        // Another read has begun and succeeded after this call.
        if ticket == loop.ticket, succeededRead > asked { return }
        try ticket.check()
        begunReads += 1
        let number = begunReads
        let attempt = Attempt()
        self.attempt = attempt
        defer { if self.attempt === attempt { self.attempt = nil } }
        let reader = SyncReader(source: source, table: table, scope: scope, outbox: outbox)
        let outcome = try await reader.read(as: ticket, attempt)
        guard ticket == loop.ticket else { return }
        (succeededRead, isBehind, pending) = (number, outcome.isBehind, outcome.pending)
      }
      guard ticket == loop.ticket else { return }
      handle(.readEnded(isBehind ? .behind(random: loop.surroundings.random()) : .success))
    } catch {
      if ticket == loop.ticket { handle(.readEnded(outcome(of: error))) }
      await outbox.readFailed(table.name, scope)
      throw error
    }
  }

  private func outcome(of error: any Error) -> FollowMachine.Outcome {
    // A source may throw `CancellationError` although this task was not cancelled, for example if
    // it shares a request with other callers. Such an error is a failure, and the read must be
    // repeated.
    if Task.isCancelled { return .cancelled }
    return .failure(RemoteFailure(error), random: loop.surroundings.random())
  }
}

// MARK: The loop

extension SyncEngine {
  func sessionBegan() async {
    handle(.began)
    await count()
    await showPending()
  }

  func reset() {
    attempt?.giveUp()
    attempt = nil
    hints?.giveUp()
    hints = nil
    loop.setAlarm(at: nil)
    machine = FollowMachine(table: machine.table, pollInterval: machine.pollInterval)
    outboxChanges.expectsRead = false
    pending = PendingCount()
    mutationError = nil
    (begunReads, succeededRead, isBehind) = (0, 0, false)
    publish()
  }

  func take(_ signal: Signal) async {
    switch signal {
    case .outboxChanged: await take(outboxChanges.take())
    case .hint(let epoch):
      if epoch == loop.ticket?.epoch { handle(.connected(sends: pending.count > 0)) }
    case .hintsEnded(let epoch, let failure):
      guard epoch == loop.ticket?.epoch else { return }
      handle(.disconnected(failure, random: loop.surroundings.random()))
    case .refreshRequested: handle(.hinted)
    case .retryRequested: handle(.retryRequested)
    case .reached: handle(.reached)
    }
  }

  func wake() {
    handle(.woken)
  }

  /// Makes a running engine read from the server.
  nonisolated func refreshBehind() {
    loop.send(.refreshRequested)
  }

  private func take(_ digest: PendingOutboxChanges.Digest) async {
    guard loop.ticket != nil else { return }
    if let end = digest.lastEnd {
      mutationError = if case .failed(let failure) = end { failure } else { nil }
    }
    // All entries after the last counted sequence number are new.
    let isNew = digest.firstStored > pending.last
    if isNew { pending.count += digest.stored }
    publish()
    if digest.needsRead { handle(.acknowledged) }
    if digest.needsCount || (digest.stored > 0 && !isNew) { await count() }
  }

  /// Shows the mutations of an earlier session of the account, before the first read.
  ///
  /// The end of that session has removed their rows. If this function fails, the first read shows
  /// the mutations.
  private func showPending() async {
    guard pending.count > 0, let ticket = loop.ticket else { return }
    let request = SyncRequest(account: ticket.account, scope: scope)
    let isHidden = try? await outbox.persistence.read { [table] in
      try table.hidesPending(request, in: $0)
    }
    guard isHidden == true else { return }
    try? await outbox.persistence.write(as: ticket) { [table] transaction in
      guard try table.hidesPending(request, in: transaction) else { return }
      let ids = try table.pendingIDs(request.account, request.scope, in: transaction)
      try table.show(
        ids, as: Source.Mutation.self, request.account, request.scope, in: transaction)
    }
  }

  /// Counts the entries that stored data does not contain, and publishes the count.
  private func count() async {
    guard let ticket = loop.ticket else { return }
    let request = SyncRequest(account: ticket.account, scope: scope)
    let counted = try? await outbox.persistence.read { [table] in
      try table.pendingCount(request, in: $0)
    }
    guard let counted, ticket == loop.ticket, ticket.isCurrent else { return }
    pending = counted
    publish()
  }

  /// Passes an event to the machine and executes the machine's decision.
  private func handle(_ event: FollowMachine.Event) {
    let decision = machine.handle(event, now: loop.surroundings.now())
    outboxChanges.expectsRead = machine.readsSoon
    if decision.isReachedAgain { outbox.contact.reach() }
    loop.setAlarm(at: decision.wake)
    if let ticket = loop.ticket {
      if decision.opensHints { connect(ticket) }
      if decision.reads {
        loop.spawn { find in try? await find()?.read(as: ticket) }
      }
    }
    publish()
  }

  private func publish() {
    let status = SyncStatus(
      phase: machine.phase, pendingCount: pending.count,
      lastError: machine.lastError ?? mutationError)
    guard status != published else { return }
    published = status
    statusBroadcast.send(status, beginning: status)
  }

  private func connect(_ ticket: SessionTicket) {
    guard ticket.isCurrent else { return }
    hints?.giveUp()
    let request = SyncRequest(account: ticket.account, scope: scope)
    // Both task-local values also apply to the tasks that the source creates for its stream.
    let stream = SessionTicket.$runningAccount.withValue(ticket.account) {
      ServerContact.$current.withValue(outbox.contact) { source.hints(request) }
    }
    guard let stream else { return handle(.noHints) }
    let attempt = Attempt()
    hints = attempt
    loop.spawn { find in await Self.listen(stream, attempt, ticket, find) }
  }

  private static func listen(
    _ hints: AsyncThrowingStream<Void, any Error>, _ attempt: Attempt, _ ticket: SessionTicket,
    _ find: @escaping ActorLoop<SyncEngine>.Find
  ) async {
    guard let surroundings = find()?.loop.surroundings else { return }
    var failure: RemoteFailure?
    do {
      try await attempt.perform(timeout: nil, surroundings) {
        try await ticket.run {
          for try await _ in hints { find()?.loop.send(.hint(epoch: ticket.epoch)) }
        }
      }
    } catch {
      // The stream was cancelled by other code, so the engine must not connect again.
      if Task.isCancelled || attempt.isGivenUp { return }
      failure = RemoteFailure(error)
    }
    find()?.loop.send(.hintsEnded(epoch: ticket.epoch, failure))
  }
}

extension SyncEngine {
  /// Receives the changes of the outbox, and wakes the engine's loop.
  private struct Observer: OutboxObserver {
    let changes: PendingOutboxChanges
    let loop: ActorLoop<SyncEngine>

    var expectsRead: Bool { changes.expectsRead }

    func changed(_ change: OutboxChange) {
      changes.add(change)
      loop.send(.outboxChanged)
    }

    func reached() { loop.send(.reached) }
  }
}

/// Undoes the transaction of a mutation whose condition is not met.
private struct ConditionNotMet: Error {}
