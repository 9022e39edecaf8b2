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
/// stored since the request began. An engine that nobody holds ends.
public actor SyncEngine<Source: RemoteSource> {
  /// What is synced.
  public typealias Record = Source.Mutation.Record

  /// The part of the server's data that is kept up to date.
  public nonisolated let scope: SyncScope
  /// Where the records are stored.
  public nonisolated let table: SyncedTable<Record>
  /// Where mutations wait to be sent.
  public nonisolated let outbox: Outbox

  nonisolated let source: Source
  nonisolated let inbox = SignalQueue<SyncSignal>()
  nonisolated let outboxChanges = PendingOutboxChanges()
  nonisolated let statusBroadcast = Broadcast<SyncStatus>(SyncStatus(), buffering: .latest)
  private nonisolated let running = Mutex<Task<Void, Never>?>(nil)
  private nonisolated let registrations = Mutex<[Registration]>([])
  nonisolated let lock = AsyncLock()

  var machine: FollowMachine
  var ticket: SessionTicket?
  var pendingCount = 0
  var mutationError: RemoteFailure?
  /// What is published, so that equal ones are not published twice.
  var published = SyncStatus()
  /// Counts reads; what has asked before the last successful one began need not ask again.
  var begunReads = 0
  var succeededRead = 0
  /// Whether that read has left entries that the server has acknowledged.
  var isBehind = false
  var attempt: Attempt?
  var hints: Attempt?
  var timer: Attempt?

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
    outbox.register(table.name, Self.route(source, table))
    let observed = outbox.observe(table.name, scope) { [inbox, outboxChanges] change in
      outboxChanges.add(change)
      inbox.send(.outbox, once: .outbox)
    }
    let joined = outbox.session.join(
      SessionParticipant(
        "engine of \(table.name) in \(scope)", began: { [inbox] in inbox.send(.began($0)) },
        ended: { [inbox] in inbox.send(.ended($0)) },
        wipe: { [weak self] _ in await self?.forget() }))
    registrations.withLock { $0 = [observed, joined] }
  }

  deinit {
    inbox.finish()
    running.withLock { $0 }?.cancel()
  }

  /// Sets the engine going, for as long as somebody holds it.
  ///
  /// Does nothing the second time.
  public nonisolated func start() {
    running.withLock { running in
      guard running == nil else { return }
      running = Task { [inbox, weak self] in await Self.run(inbox) { [weak self] in self } }
    }
  }

  /// Does the engine's work in the caller's task until that is cancelled.
  ///
  /// For those who want it in a task group of their own; call either this or `start`, once.
  public nonisolated func run() async {
    await Self.run(inbox) { self }
  }

  /// The status as it is and then its changes, of which a slow consumer gets the latest.
  ///
  /// Registered when this returns. Ends with the engine.
  public nonisolated func statuses() -> AsyncStream<SyncStatus> { statusBroadcast.stream() }

  /// Stores a mutation, shows its effect, and returns; it is sent as soon as possible.
  ///
  /// - Parameters:
  ///   - mutation: What to do, here and on the server.
  ///   - key: A new one, unless the caller has its own; the same key is stored once.
  /// - Returns: The key, with which the mutation can be undone until it is sent.
  /// - Throws: `SessionError` when nobody is signed in or the session ends meanwhile,
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
  /// Reads run one after the other. One that begins after this is called, and succeeds, is enough
  /// for all who wait.
  ///
  /// - Throws: `SessionError`, `RemoteFailure` or another error of the source, `PersistenceError`,
  ///   or `CancellationError`.
  public func refresh() async throws {
    guard let ticket = outbox.session.current else { throw SessionError.signedOut }
    adopt(ticket)
    handle(.readBegan)
    try await read(as: ticket)
  }

  /// Tries again at once what waits for a retry, such as when the connection is back.
  public nonisolated func retryNow() {
    outbox.retryNow()
    inbox.send(.retryRequested, once: .retryRequested)
  }
}
