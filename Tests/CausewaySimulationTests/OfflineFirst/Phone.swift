import CausewayData
import CausewaySQLite
import CausewaySimulation
import Foundation
import Synchronization

/// The data layer of one client, with its database on the disk of its node.
struct Phone: Sendable {
  let engine: SyncEngine<BoardSource>
  let database: any PersistenceService
  /// The actions that `perform` has accepted, across all runs of the node.
  let accepted: ActionLog
  private let outbox: Outbox
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
      surroundings: node.surroundings)
    engine = SyncEngine(
      source: source, table: notes, scope: .all, outbox: outbox, pollInterval: pollInterval)
    self.outbox = outbox
    if let problem = try await hiddenEdit { throw BrokenOverlay(description: problem) }
    outbox.start()
    engine.start()
  }

  /// The start of a phone whose disk does not show a pending edit.
  private struct BrokenOverlay: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns the name of a new action.
  private func newAction() -> String {
    numbers.increase()
    return "\(name), action \(numbers.value)"
  }

  /// Adds a star to a note, and returns the name of the action.
  func star(_ id: String) async throws -> String {
    let action = newAction()
    try await engine.perform(.star(id: id, action: action))
    accepted.append(action)
    return action
  }

  /// Adds a star that the server refuses.
  func starInVain(_ id: String) async throws {
    try await engine.perform(.star(id: id, action: newAction() + NoteMutation.refused))
  }

  /// Adds a star and removes it again; returns the action unless it was too late.
  func starAndUndo(_ id: String, after pause: Duration) async throws -> String? {
    let action = newAction()
    let key = try await engine.perform(.star(id: id, action: action))
    try await SimulationClock().sleep(for: pause)
    do { try await outbox.undo(key) } catch is OutboxError { return nil }
    return action
  }

  /// Describes a pending edit that is not shown, or not in its place; `nil` if there is none.
  ///
  /// Edits and shown rows are on the disk together, also after each crash.
  var hiddenEdit: String? {
    get async throws {
      let (payloads, rows) = try await database.read { transaction in
        (
          try transaction.rows("SELECT payload FROM sync_outbox ORDER BY sequence", as: Data.self),
          try transaction.rows("SELECT id, stars FROM note ORDER BY id", as: Note.self)
        )
      }
      let edits = try payloads.map { try JSONDecoder().decode(NoteMutation.self, from: $0) }
      for (id, edits) in Dictionary(grouping: edits, by: \.recordID).sorted(by: { $0.key < $1.key })
      {
        let shown = rows.first { $0.id == id }?.stars ?? []
        let actions = edits.map(\.action)
        if shown.filter(actions.contains) != actions {
          return "\(name) shows \(shown) in \(id), but has the pending edits \(actions)"
        }
      }
      return nil
    }
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
