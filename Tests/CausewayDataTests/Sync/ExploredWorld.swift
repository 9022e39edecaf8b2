import Causeway
import CausewayData
import CausewayTesting
import TestSupport

@testable import CausewaySync

/// The objects of one trial of an exploration, all of them deterministic.
final class ExploredWorld: Sendable {
  /// The rows after a commit, as a user sees them.
  struct Sight: Equatable, Sendable {
    var titles: [String: String] = [:]
    /// All rows of the account that is signed in at the start.
    var rows = 0
    /// The mutations of this account that the server does not have.
    var unsent = 0
  }

  let clock = TestClock()
  let session: SessionService
  let persistence: ExploredPersistence
  let server = NoteServer()
  let source: ExploredSource
  let outbox: Outbox
  let engine: SyncEngine<ExploredSource>
  /// A second window on the same rows.
  let other: SyncEngine<ExploredSource>
  let sights = Log<Sight>()
  let failures = Log<String>()

  /// - Parameter sessions: The session of the engine and the outbox. A planted fault replaces it.
  init(
    receipt: MutationReceipt? = nil,
    sessions: (SessionService) -> any SessionServiceProtocol = { $0 }
  ) {
    session = SessionService(account: "ada")
    persistence = ExploredPersistence(sights)
    source = ExploredSource(server: server, receipt: receipt)
    outbox = Outbox(
      persistence: persistence, session: sessions(session), parallelScopes: 2,
      surroundings: Surroundings(clock: clock, random: { 1 }))
    engine = SyncEngine(source: source, table: notes, outbox: outbox, pollInterval: nil)
    other = SyncEngine(source: source, table: notes, outbox: outbox, pollInterval: nil)
  }

  /// Checks the stored rows and the remaining state at the end.
  func look() async throws {
    sights.append(try await persistence.look())
  }
}

/// An in-memory database, opened on first use. It suspends before and after each access, where
/// other effects may run, and records the visible rows after each commit.
actor ExploredPersistence: PersistenceService {
  private var service: (any PersistenceService)?
  private nonisolated let sights: Log<ExploredWorld.Sight>

  init(_ sights: Log<ExploredWorld.Sight>) {
    self.sights = sights
  }

  func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    await suspensionPoint()
    let value = try await open().read(body)
    await suspensionPoint()
    return value
  }

  func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    await suspensionPoint()
    let value = try await open().write { [sights] transaction in
      let value = try body(transaction)
      sights.append(try Self.see(transaction))
      return value
    }
    await suspensionPoint()
    return value
  }

  func look() async throws -> ExploredWorld.Sight {
    try await open().read { try Self.see($0) }
  }

  nonisolated func observe<T: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: T.Type
  ) -> LiveQuery<T> {
    preconditionFailure("Live queries have tests of their own.")
  }

  func close() async throws(PersistenceError) {
    try await service?.close()
  }

  private func open() async throws -> any PersistenceService {
    if let service { return service }
    let opened = try await makeStore()
    if let service { return service }
    service = opened
    return opened
  }

  private static func see(_ transaction: any ReadTransaction) throws -> ExploredWorld.Sight {
    var sight = ExploredWorld.Sight()
    for note in try transaction.rows("SELECT * FROM note", as: Synced<Note>.self) {
      sight.titles[note.id] = note.title
    }
    let tables = [
      "note_base": "syncAccount", "note_overlay": "syncAccount", "sync_outbox": "account",
      "sync_dead_letter": "account", "sync_cursor": "account",
    ]
    for (table, column) in tables {
      sight.rows +=
        try transaction.row(
          """
          SELECT count(*) FROM \(identifier: table) WHERE \(identifier: column) = 'ada'
          """, as: Int.self) ?? 0
    }
    sight.unsent =
      try transaction.row(
        """
        SELECT (SELECT count(*) FROM sync_outbox WHERE account = 'ada' AND state = 'waiting')
        + (SELECT count(*) FROM sync_dead_letter WHERE account = 'ada')
        """, as: Int.self) ?? 0
    return sight
  }
}

/// The server, with suspensions for the time of requests and responses.
struct ExploredSource: RemoteSource {
  typealias Mutation = NoteMutation

  let server: NoteServer
  /// The response in place of the correct receipt.
  var receipt: MutationReceipt?

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Note> {
    await suspensionPoint()
    let answer = try await server.snapshot(request)
    await suspensionPoint()
    return answer
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Note> {
    await suspensionPoint()
    let answer = try await server.changes(since: version, request)
    await suspensionPoint()
    return answer
  }

  func apply(_ mutation: NoteMutation, _ request: MutationRequest) async throws -> MutationReceipt {
    await suspensionPoint()
    let answer = try await server.apply(mutation, request)
    await suspensionPoint()
    return receipt ?? answer
  }
}

/// Runs the parts of a world concurrently, each in its own effect.
struct ExploredInteractor: Interactor {
  enum Action: Sendable {
    case start
    /// One after the other, by one caller.
    case perform([NoteMutation])
    case undo(IdempotencyKey, NoteMutation)
    case put(Note)
    case refuse(String)
    case spoil(NoteServer.Mishap)
    case refresh
    case refreshOther
    /// A planted fault: a read that ignores its starting version.
    case refreshForgetfully
    case read(ReadPolicy)
    case retryNow
    case resend
    case logout
    case signIn(AccountID)
    case look

    var isPut: Bool {
      if case .put = self { true } else { false }
    }
  }

  let world: ExploredWorld

  var body: some Interactor<Int, Action> {
    Interact(initialValue: 0) { [world] _, action in
      switch action {
      case .start:
        .merge(
          .observe(id: "outbox") { _, _ in await world.outbox.run() },
          .observe(id: "engine") { _, _ in await world.engine.run() })
      default:
        // Changes by others come in the order of the script.
        .perform(
          action.isPut ? .serial : .parallel, id: action.isPut ? "put" : EffectID("\(action)")
        ) { _ in
          do {
            try await Self.do(action, world)
          } catch is SessionError {
            // The errors that a logout causes in late calls.
          } catch is CancellationError {
            // The errors that a logout causes in running calls.
          } catch is OutboxError {
            // The undo came too late.
          } catch {
            world.failures.append("\(action): \(error)")
          }
        }
      }
    }
  }

  @concurrent private static func refreshForgetfully(_ world: ExploredWorld) async throws {
    guard let ticket = world.session.current else { return }
    let request = SyncRequest(account: ticket.account, scope: .all)
    let snapshot = try await world.source.snapshot(request)
    try await world.persistence.write(as: ticket) { transaction in
      _ = try notes.store(
        .snapshot(snapshot), to: request, from: notes.start(request, in: transaction),
        as: NoteMutation.self, in: transaction)
    }
  }

  @concurrent private static func `do`(_ action: Action, _ world: ExploredWorld) async throws {
    switch action {
    case .start: break
    case .perform(let mutations):
      for mutation in mutations { try await world.engine.perform(mutation) }
    case .undo(let key, let mutation):
      try await world.engine.perform(mutation, key: key)
      await suspensionPoint()
      try await world.outbox.undo(key)
    case .put(let note):
      await suspensionPoint()
      await world.server.put(note, account: "ada")
    case .refuse(let kind): await world.server.refuse(kind)
    case .spoil(let mishap): await world.server.spoilMutations(mishap)
    case .refresh: try await world.engine.refresh()
    case .refreshOther: try await world.other.refresh()
    case .refreshForgetfully: try await refreshForgetfully(world)
    case .read(let policy): _ = try await world.engine.rows(policy)
    case .retryNow: world.engine.retryNow()
    case .resend:
      for letter in try await world.outbox.deadLetters() {
        try await world.outbox.resend(letter.key)
      }
    case .logout: try await world.session.logout()
    case .signIn(let account): try await world.session.signIn(account)
    case .look: try await world.look()
    }
  }
}
