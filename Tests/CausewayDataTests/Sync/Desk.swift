import CausewayData
import CausewaySQLite
import Foundation
import Synchronization
import TestSupport

/// An app's data layer on an in-memory server, with a clock that the test advances.
struct Desk {
  let persistence: any PersistenceService
  let session: SessionService
  let outbox: Outbox
  let server = NoteServer()
  let clock = ManualClock()
  let wall = WallDate()

  /// - Parameters:
  ///   - account: The account that is signed in from the start.
  ///   - timeout: No limit by default: a test that advances its clock over all waits must not end
  ///     a request that is only slow.
  init(
    account: AccountID? = .local, table: RetryTable = .standard, parallelScopes: Int = 4,
    limit: Int = 10_000, deadLetterLimit: Int = 1_000, timeout: Duration = .seconds(1_000_000_000),
    persistence: (any PersistenceService)? = nil
  ) async throws {
    if let persistence {
      self.persistence = persistence
    } else {
      self.persistence = try await makeStore()
    }
    session = SessionService(account: account)
    outbox = Outbox(
      persistence: self.persistence, session: session, table: table,
      parallelScopes: parallelScopes, limit: limit, deadLetterLimit: deadLetterLimit,
      timeout: timeout,
      surroundings: Surroundings(clock: clock, date: { [wall] in wall.date }, random: { 1 }))
  }

  func engine(_ scope: SyncScope = .all, poll: Duration? = nil) -> SyncEngine<NoteServer> {
    SyncEngine(source: server, table: notes, scope: scope, outbox: outbox, pollInterval: poll)
  }

  func countRows() async throws -> Int {
    try await persistence.read { transaction in
      try [
        "note_base", "note_overlay", "sync_outbox", "sync_dead_letter", "sync_cursor",
      ].reduce(0) { sum, table in
        try sum + (transaction.row("SELECT count(*) FROM \(identifier: table)", as: Int.self) ?? 0)
      }
    }
  }

  /// Returns when a query with a single number returns the given number.
  func wait(for number: Int, _ query: SQL) async throws {
    for try await rows in persistence.observe(query, as: Int.self) where rows.first == number {
      return
    }
  }

  func waitUntilSent() async throws {
    try await wait(for: 0, "SELECT count(*) FROM sync_outbox WHERE state = 'waiting'")
  }

  /// Returns when data has covered all entries.
  ///
  /// It advances the clock between reads.
  func waitUntilCovered() async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { [clock] in
        while !Task.isCancelled {
          await clock.sleepers(1, within: .milliseconds(250))
          if !Task.isCancelled { clock.advance(by: .milliseconds(250)) }
        }
      }
      try await wait(for: 0, "SELECT count(*) FROM sync_outbox")
      group.cancelAll()
    }
  }
}

/// An empty database in memory.
func makeStore() async throws -> any PersistenceService {
  try InMemoryPersistenceService(migrations: noteMigrations)
}

/// A date that the test sets.
final class WallDate: Sendable {
  private let value = Mutex(Date(timeIntervalSinceReferenceDate: 800_000_000))

  var date: Date {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}

extension SyncEngine where Source == NoteServer {
  /// Returns the rows as soon as they meet a condition.
  func rows(when condition: ([Synced<Note>]) -> Bool) async throws -> [Synced<Note>] {
    for try await rows in observe() where condition(rows) { return rows }
    return []
  }

  func status(when condition: (SyncStatus) -> Bool) async -> SyncStatus {
    for await status in statuses() where condition(status) { return status }
    return SyncStatus()
  }
}

/// The error that an operation throws.
func thrown<T>(_ operation: () async throws -> T) async -> (any Error)? {
  do {
    _ = try await operation()
    return nil
  } catch {
    return error
  }
}
