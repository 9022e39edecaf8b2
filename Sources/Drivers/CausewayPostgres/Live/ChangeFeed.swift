import CausewayDatabase
import Synchronization

/// Reads the changes of other processes from the change log.
///
/// It has its own connection, which listens for hints. Without a hint, it reads at an interval.
actor ChangeFeed {
  private struct Entry: Hashable {
    let transaction: UInt64
    let name: String
  }

  private let pool: ConnectionPool
  private let log: ChangeLog
  private let interval: Duration
  private let retention: Duration
  private let own: OwnCommits
  private var session: Session?
  /// All transactions below this number have ended, and their entries were delivered.
  private var watermark: UInt64 = 0
  /// The delivered entries from the watermark on.
  private var delivered: Set<Entry> = []
  private var lastRead = ContinuousClock.now
  /// When the schema was last compared, and the queries of tables without a trigger were run.
  private var lastCheck = ContinuousClock.now
  /// The relations of the database at that time.
  private var relations: String?

  /// The shortest time between two reads.
  private static let pause = Duration.milliseconds(10)

  init(
    _ pool: ConnectionPool, log: ChangeLog, interval: Duration, retention: Duration,
    own: OwnCommits
  ) {
    self.pool = pool
    self.log = log
    self.interval = interval
    self.retention = retention
    self.own = own
  }

  /// Waits for changes of other processes.
  ///
  /// After a new connection the changes are unknown, so everything may have changed.
  ///
  /// - Returns: The changes, which may be none; `nil` when the task is cancelled.
  func next() async -> TableChanges? {
    do {
      guard let session else { return try await connect() }
      try await session.waitForNotification(until: lastRead + interval)
      let rest = lastRead + Self.pause - .now
      if rest > .zero { try await Task.sleep(for: rest) }
      try Task.checkCancellation()
      return try await readChanges(session)
    } catch {
      await disconnect()
      if Task.isCancelled || (error as? PersistenceError)?.kind == .closed { return nil }
      return TableChanges.none
    }
  }

  func disconnect() async {
    await session?.close()
    session = nil
  }

  private func connect() async throws -> TableChanges {
    let session = try await pool.open(until: .now + .seconds(60))
    // A pool may give the listening connection to other clients.
    if await session.isDirect {
      _ = try await session.run("LISTEN \(ChangeLog.channel)", until: limit)
    }
    let mark = try await session.run(ChangeLog.watermark, until: limit).first?.first ?? nil
    watermark = mark.flatMap { UInt64($0) } ?? 0
    delivered = []
    relations = try await session.run(ChangeLog.relations, until: limit).first?.first ?? nil
    (lastRead, lastCheck) = (.now, .now)
    self.session = session
    return .everything
  }

  private func readChanges(_ session: Session) async throws -> TableChanges {
    let former = lastRead
    lastRead = .now
    let rows = try await session.run(
      log.changesSince, [.text("\(watermark)")], until: limit)
    var names: Set<String> = []
    var recent: Set<Entry> = []
    for row in rows {
      watermark = row[0].flatMap { UInt64($0) } ?? watermark
      guard let transaction = row[1].flatMap({ UInt64($0) }), let name = row[2] else { continue }
      let entry = Entry(transaction: transaction, name: name)
      recent.insert(entry)
      if !delivered.contains(entry), !own.contains(transaction) { names.insert(name) }
    }
    let watermark = watermark
    delivered = recent.filter { $0.transaction >= watermark }
    own.removeAll(below: watermark)
    // Entries may have been trimmed in the meantime.
    if lastRead - former > retention / 2 { return .everything }
    if lastRead - lastCheck >= interval {
      lastCheck = lastRead
      if try await schemaHasChanged(session) { return .everything }
      names.insert(ChangeLog.unwatched)
    }
    return names.contains(ChangeLog.everything) ? .everything : .tables(names)
  }

  /// Whether other programs have made or removed tables; new tables get the trigger.
  private func schemaHasChanged(_ session: Session) async throws -> Bool {
    let found = try await session.run(ChangeLog.relations, until: limit).first?.first ?? nil
    if found == relations { return false }
    relations = found
    // If this fails, the queries of tables without the trigger still run at the interval.
    _ = try? await session.run(log.watch, until: limit)
    return true
  }

  /// The time until which the server must answer; after it, the connection counts as lost.
  private var limit: ContinuousClock.Instant { .now + interval + .seconds(10) }
}

/// The transactions of this process whose changes its live queries have already received.
final class OwnCommits: Sendable {
  private let identifiers = Mutex<Set<UInt64>>([])

  func insert(_ identifier: String) {
    guard let number = UInt64(identifier) else { return }
    identifiers.withLock { _ = $0.insert(number) }
  }

  func contains(_ identifier: UInt64) -> Bool {
    identifiers.withLock { $0.contains(identifier) }
  }

  func removeAll(below watermark: UInt64) {
    identifiers.withLock { $0 = $0.filter { $0 >= watermark } }
  }
}
