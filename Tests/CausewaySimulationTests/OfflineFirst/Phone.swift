import CausewayData
import CausewaySQLite
import CausewaySimulation
import Synchronization

/// The data layer of one client, with its database on the disk of its node.
struct Phone: Sendable {
  let engine: SyncEngine<BoardSource>
  let database: any PersistenceService
  /// The actions that `perform` has accepted, across all runs of the node.
  let accepted: ActionLog
  private let name: String
  private let numbers: Counter

  /// - Parameter wrap: Replaces the database, for example to plant a bug.
  init(
    _ node: NodeContext, source: BoardSource, pollInterval: Duration? = .seconds(5),
    wrap: @Sendable (SQLiteService) -> any PersistenceService = { $0 }
  ) async throws {
    database = wrap(try await node.database("board.db", migrations: noteMigrations))
    accepted = node.stored("accepted") { ActionLog() }
    numbers = node.stored("numbers") { Counter() }
    name = node.name
    let outbox = Outbox(
      persistence: database, session: SessionService(account: .local),
      environment: node.syncEnvironment)
    engine = SyncEngine(
      source: source, table: notes, scope: .all, outbox: outbox, pollInterval: pollInterval)
    outbox.start()
    engine.start()
  }

  /// Adds a star to a note, and returns the name of the action.
  func star(_ id: String) async throws -> String {
    numbers.increase()
    let action = "\(name), action \(numbers.value)"
    try await engine.perform(.star(id: id, action: action))
    accepted.append(action)
    return action
  }

  /// Whether a note shows the star of an action.
  func shows(_ action: String, _ id: String) async throws -> Bool {
    try await rows.contains { $0.id == id && $0.stars.contains(action) }
  }

  var rows: [Note] {
    get async throws {
      try await database.read {
        try $0.rows("SELECT id, stars FROM note ORDER BY id", as: Note.self)
      }
    }
  }
}

/// The names of actions, in order.
final class ActionLog: Sendable {
  private let contents = Mutex<[String]>([])
  var all: [String] { contents.withLock { $0 } }
  func append(_ action: String) { contents.withLock { $0.append(action) } }
}
