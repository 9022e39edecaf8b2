import Foundation
import Synchronization

/// Keeps a scope of a synced table up to date: reads from the server, shows mutations at once, and
/// sends them through the outbox.
///
/// ```swift
/// let engine = SyncEngine(source: NoteServer(), table: notes, outbox: outbox)
/// engine.start()
/// for try await notes in engine.observe() { … }      // what is stored, at once
/// try await engine.perform(NoteMutation.write(note)) // shown, stored, and sent when possible
/// ```
///
/// A response is stored only in the scope and session of its request, and only if nothing newer was
/// stored since the request began. An engine ends when nothing holds it.
public actor SyncEngine<Source: RemoteSource>: DrivenActor {
  /// What is synced.
  public typealias Record = Source.Mutation.Record

  /// What the loop of an engine is told.
  enum Signal: Hashable, Sendable {
    case outboxChanged
    /// A hint has come, in the session with this number.
    case hint(epoch: Int)
    case hintsEnded(epoch: Int, RemoteFailure?)
    case refreshRequested
    case retryRequested
  }

  /// The part of the server's data that is kept up to date.
  public nonisolated let scope: SyncScope
  /// Where the records are stored.
  public nonisolated let table: SyncedTable<Record>
  /// Where mutations wait to be sent.
  public nonisolated let outbox: Outbox

  nonisolated let driver: Driver<SyncEngine>
  /// Held by the read that is under way.
  nonisolated let lock = AsyncLock()
  private nonisolated let source: Source
  private nonisolated let outboxChanges = PendingOutboxChanges()
  private nonisolated let statusBroadcast = Broadcast<SyncStatus>(SyncStatus(), buffering: .latest)
  private nonisolated let observation: Registration

  private var machine: FollowMachine
  private var pending = PendingCount()
  private var mutationError: RemoteFailure?
  /// The last status that was published, so that equal ones are not published twice.
  private var published = SyncStatus()
  /// The number of reads; a call that came before the last successful read began need not read again.
  private var begunReads = 0
  private var succeededRead = 0
  /// Whether that read has left entries that the server has acknowledged.
  private var isBehind = false
  private var attempt: Attempt?
  private var hints: Attempt?

  /// Makes an engine; `start` or `run` sets it going.
  ///
  /// - Parameters:
  ///   - source: The server's side.
  ///   - table: Where the records are stored; its migration has been applied.
  ///   - scope: The part of the server's data to keep up to date.
  ///   - outbox: Where mutations wait; brings the persistence service and the session.
  ///   - retries: How long to wait after failed reads.
  ///   - pollInterval: How often to ask a server that gives no hints; `nil` for never.
  public init(
    source: Source, table: SyncedTable<Record>, scope: SyncScope = .all, outbox: Outbox,
    retries: RetryTable = .standard, pollInterval: Duration? = .seconds(60)
  ) {
    self.source = source
    self.table = table
    self.scope = scope
    self.outbox = outbox
    machine = FollowMachine(table: retries, pollInterval: pollInterval)
    let driver = Driver<SyncEngine>(environment: outbox.driver.environment)
    self.driver = driver
    outbox.register(table.name, Self.route(source, table))
    observation = outbox.registry.observe(table.name, scope) { [outboxChanges] in
      outboxChanges.expectsRead
    } notify: { [weak driver, outboxChanges] change in
      outboxChanges.add(change)
      driver?.send(.outboxChanged)
    }
    driver.join(outbox.session, as: "engine of \(table.name) in \(scope)", self)
  }

  deinit {
    driver.finish()
  }

  /// Starts to follow the server, until nothing holds the engine any more.
  ///
  /// Does nothing the second time.
  public nonisolated func start() {
    driver.start(self)
  }

  /// Follows the server in the caller's task until that is cancelled.
  ///
  /// For a task group of your own. Call either this or `start`, once.
  public nonisolated func run() async {
    await driver.run { self }
  }

  /// The present status and then its changes; a slow consumer gets the latest.
  ///
  /// Registered when this returns. Ends with the engine.
  public nonisolated func statuses() -> AsyncStream<SyncStatus> { statusBroadcast.stream() }

  /// Tries again at once what waits for a retry; call it when the connection is back, for example.
  public nonisolated func retryNow() {
    outbox.retryNow()
    driver.send(.retryRequested)
  }

  /// Stores a mutation, shows its effect, and returns; it is sent as soon as possible.
  ///
  /// - Parameters:
  ///   - mutation: What to do, here and on the server.
  ///   - key: A new one, unless the caller has its own; the same key is stored once.
  /// - Returns: The key, with which the mutation can be undone until it is sent.
  /// - Throws: `SessionError` when no account is signed in or the session ends meanwhile,
  ///   `OutboxError.full`, `EncodingError`, `PersistenceError`, or `CancellationError` before
  ///   anything is stored.
  @discardableResult
  public func perform(
    _ mutation: Source.Mutation, key: IdempotencyKey = IdempotencyKey()
  ) async throws -> IdempotencyKey {
    guard let ticket = outbox.session.current else { throw SessionError.signedOut }
    let id = mutation.recordID
    let draft = OutboxDraft(
      key: key, collection: table.name, scope: scope, kind: mutation.kind,
      payload: try JSONEncoder().encode(mutation), entity: id.sqlValue)
    let entry = try await outbox.enqueue(draft, as: ticket) { [table, scope] transaction in
      try table.show(
        [id], as: Source.Mutation.self, ticket.account, scope, in: transaction)
    }
    return entry.key
  }

  /// Asks the server and stores what it answers, whether or not the engine was started.
  ///
  /// Reads run one after the other. A read that begins after this call and succeeds serves all
  /// callers that wait.
  ///
  /// - Throws: `SessionError`, `RemoteFailure` or another error of the source, `PersistenceError`,
  ///   or `CancellationError`.
  public func refresh() async throws {
    guard let ticket = outbox.session.current else { throw SessionError.signedOut }
    adopt(ticket)
    handle(.readBegan)
    try await read(as: ticket)
  }

  /// Reads for a session while no other read runs, and tells the machine how it ended.
  private func read(as ticket: SessionTicket) async throws {
    let asked = begunReads
    do {
      try await lock.withLock {
        // Another read has begun and succeeded since this one was asked for.
        if ticket == driver.ticket, succeededRead > asked { return }
        try ticket.check()
        begunReads += 1
        let number = begunReads
        let attempt = Attempt()
        self.attempt = attempt
        defer { if self.attempt === attempt { self.attempt = nil } }
        let reader = SyncReader(source: source, table: table, scope: scope, outbox: outbox)
        let outcome = try await reader.read(as: ticket, attempt)
        guard ticket == driver.ticket else { return }
        (succeededRead, isBehind, pending) = (number, outcome.isBehind, outcome.pending)
      }
      guard ticket == driver.ticket else { return }
      handle(.readEnded(isBehind ? .behind(random: driver.environment.random()) : .success))
    } catch {
      if ticket == driver.ticket { handle(.readEnded(outcome(of: error))) }
      await outbox.readFailed(table.name, scope)
      throw error
    }
  }

  private func outcome(of error: any Error) -> FollowMachine.Outcome {
    // A source may throw `CancellationError` although this task was not cancelled, such as when it
    // shares a request with others. That is a failure: the read has to be repeated.
    if Task.isCancelled { return .cancelled }
    return .failure(RemoteFailure(error), random: driver.environment.random())
  }
}

// MARK: The loop

extension SyncEngine {
  func sessionBegan() async {
    handle(.began)
    await count()
  }

  func forget() {
    attempt?.giveUp()
    attempt = nil
    hints?.giveUp()
    hints = nil
    driver.setAlarm(at: nil)
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
      if epoch == driver.ticket?.epoch { handle(.connected) }
    case .hintsEnded(let epoch, let failure):
      guard epoch == driver.ticket?.epoch else { return }
      handle(.disconnected(failure, random: driver.environment.random()))
    case .refreshRequested: handle(.hinted)
    case .retryRequested: handle(.retryRequested)
    }
  }

  func wake() {
    handle(.woken)
  }

  /// Has a running engine ask the server.
  nonisolated func refreshBehind() {
    driver.send(.refreshRequested)
  }

  private func take(_ digest: PendingOutboxChanges.Digest) async {
    guard driver.ticket != nil else { return }
    if let end = digest.lastEnd {
      mutationError = if case .failed(let failure) = end { failure } else { nil }
    }
    // Those that are not counted yet are all new.
    let isNew = digest.firstStored > pending.last
    if isNew { pending.count += digest.stored }
    publish()
    if digest.needsRead { handle(.acknowledged) }
    if digest.needsCount || (digest.stored > 0 && !isNew) { await count() }
  }

  /// Counts the entries that stored data does not show, and publishes it.
  private func count() async {
    guard let ticket = driver.ticket else { return }
    let request = SyncRequest(account: ticket.account, scope: scope)
    let counted = try? await outbox.persistence.read { [table] in
      try table.pendingCount(request, in: $0)
    }
    guard let counted, ticket == driver.ticket, ticket.isCurrent else { return }
    pending = counted
    publish()
  }

  /// Has the machine decide, and begins to do what it says.
  private func handle(_ event: FollowMachine.Event) {
    let decision = machine.handle(event, now: driver.environment.now())
    outboxChanges.expectsRead = machine.readsSoon
    if decision.isReachedAgain { outbox.retryNow() }
    driver.setAlarm(at: decision.wake)
    if let ticket = driver.ticket {
      if decision.opensHints { connect(ticket) }
      if decision.reads {
        driver.spawn { find in try? await find()?.read(as: ticket) }
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
    // A task that the source makes for its stream works for the account, too.
    let stream = SessionTicket.$runningAccount.withValue(ticket.account) { source.hints(request) }
    guard let stream else { return handle(.noHints) }
    let attempt = Attempt()
    hints = attempt
    driver.spawn { find in await Self.listen(stream, attempt, ticket, find) }
  }

  private static func listen(
    _ hints: AsyncThrowingStream<Void, any Error>, _ attempt: Attempt, _ ticket: SessionTicket,
    _ find: @escaping Driver<SyncEngine>.Find
  ) async {
    guard let environment = find()?.driver.environment else { return }
    var failure: RemoteFailure?
    do {
      try await attempt.perform(timeout: nil, environment) {
        try await ticket.run {
          for try await _ in hints { find()?.driver.send(.hint(epoch: ticket.epoch)) }
        }
      }
    } catch {
      // Given up from outside: nothing is to be connected again.
      if Task.isCancelled || attempt.isGivenUp { return }
      failure = RemoteFailure(error)
    }
    find()?.driver.send(.hintsEnded(epoch: ticket.epoch, failure))
  }
}
