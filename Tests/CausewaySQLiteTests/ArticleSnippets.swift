import CausewayData
import CausewayDataTesting
import CausewaySQLite
import CausewayTesting
import Foundation
import Testing

// The code of CausewayData.docc/Persistence.md; ArticleTests compares them.

struct Activity: Codable, Equatable, Sendable {
  var id: UUID
  var title: String
  var start: Date
  var note: String?
}

struct Price: SQLReadable, Codable {
  var cents: Int64
  var sqlValue: SQLValue { .integer(cents) }

  init?(sqlValue: SQLValue) {
    guard case .integer(let cents) = sqlValue else { return nil }
    self.cents = cents
  }
}

struct Article: Sendable {
  var path: String
  var cachePath: String
  var confirmLoss: @Sendable (String) async -> Bool = { _ in true }
  var log: @Sendable (String) -> Void = { _ in }
  var migrations: [Migration] = []

  func use(_ activity: Activity, now: Date) async throws -> (Activity?, [Activity]) {
    let migrations = [
      Migration(
        "create activity",
        """
        CREATE TABLE activity (
          id TEXT PRIMARY KEY, title TEXT NOT NULL, start REAL NOT NULL, note TEXT) STRICT
        """)
    ]
    let store = try await SQLiteService(path: path, migrations: migrations)
    try await store.write { transaction in
      try transaction.upsert(activity, into: "activity")
    }
    let next = try await store.read { transaction in
      try transaction.row(
        "SELECT * FROM activity WHERE start > \(now) ORDER BY start", as: Activity.self)
    }
    let query = search("%a%", hosts: nil, by: "start")
    return (next, try await firstRows(query, store))
  }

  func search(_ pattern: String, hosts: [Int]?, by column: String) -> SQL {
    var query: SQL = "SELECT * FROM activity WHERE title LIKE \(pattern)"
    if let hosts { query = "\(query) AND host IN \(list: hosts)" }
    query = "\(query) ORDER BY \(identifier: column)"
    return query
  }

  private func firstRows(_ query: SQL, _ store: SQLiteService) async throws -> [Activity] {
    let first = AsyncStream.makeStream(of: [Activity].self)
    @Sendable func show(_ activities: [Activity]) async {
      if !activities.isEmpty { first.continuation.yield(activities) }
    }
    let following = Task {
      defer { first.continuation.finish() }
      for try await activities in store.observe(query, as: Activity.self) {
        await show(activities)
      }
    }
    defer { following.cancel() }
    for await activities in first.stream { return activities }
    return []
  }

  private func followRows(
    _ query: SQL, _ store: SQLiteService, show: @Sendable ([Activity]) async -> Void,
    update: @Sendable (Int64, Activity?) async -> Void
  ) async throws {
    for try await rows in store.observe(query, as: Activity.self).versions {
      guard let changed = rows.changedIDs else {
        await show(Array(rows))
        continue
      }
      for id in changed { await update(id, rows.index(of: id).map { rows[$0] }) }
    }
  }

  func openCache() async throws -> SQLiteService {
    let log = log
    var cache = SQLiteConfiguration(synchronous: .normal)
    cache.onDamage = { report in
      log("\(report.error), moved to \(report.setAsideAs ?? "nowhere")")
    }
    let pictures = try await SQLiteService(
      path: cachePath, migrations: migrations, configuration: cache)
    return pictures
  }

  func page(after last: Activity, of query: SQL) -> SQL {
    let page = query.page(orderedBy: ["start", "id"], after: [last.start, last.id], limit: 20)
    return page
  }

  func checkTables(_ store: SQLiteService) async throws -> [TableProblem] {
    let problems = try await store.problems(in: [
      TableCheck("activity", sample: Activity(id: UUID(), title: "", start: .now, note: "note"))
    ])
    return problems
  }

  func openBundled() async throws -> SQLiteService {
    var configuration = SQLiteConfiguration()
    configuration.access = .immutable
    let words = try await SQLiteService(
      path: path, migrations: [], configuration: configuration)
    return words
  }

  func textsOfAllLanguages(_ text: String) -> [SQL] {
    let sorted: SQL = "SELECT * FROM activity ORDER BY title COLLATE unicode"
    let same: SQL = "SELECT * FROM activity WHERE title = \(text) COLLATE unicode_nocase"
    let found: SQL = """
      SELECT * FROM activity WHERE unicode_fold(title) LIKE unicode_fold(\("%" + text + "%"))
      """
    return [sorted, same, found]
  }

  func undoPart(_ now: Date, in transaction: any WriteTransaction) throws {
    try transaction.execute("SAVEPOINT guess")
    try transaction.execute("DELETE FROM activity WHERE start < \(now)")
    if try transaction.row("SELECT count(*) FROM activity", as: Int.self) == 0 {
      try transaction.execute("ROLLBACK TO guess")
    }
    try transaction.execute("RELEASE guess")
  }

  func backUpAndRestore(_ store: SQLiteService, backupPath: String) async throws -> SQLiteService {
    func restoreBackup() async throws -> SQLiteService {
      try await store.backUp(to: backupPath) { progress in
        log("\(progress.copiedPages) of \(progress.pages) pages")
      }
      try await store.close()
      _ = try SQLiteService.setAside(path: path)
      try await SQLiteService.restore(backupPath, to: path)
      return try await SQLiteService(path: path, migrations: migrations)
    }
    return try await restoreBackup()
  }

  func eraseTrips(_ session: SessionService, _ store: SQLiteService) {
    session.add(
      SessionParticipant(
        "trips",
        erase: { wipe in try await store.erase(after: wipe) },
        wipe: { wipe in
          try await store.write { transaction in
            let count =
              switch wipe {
              case .only(let account):
                try transaction.executeAndCount("DELETE FROM trip WHERE account = \(account)")
              case .allExcept(let account):
                try transaction.executeAndCount("DELETE FROM trip WHERE account <> \(account)")
              }
            if count > 0 { try transaction.markForErasing() }
          }
        }))
  }

  func openOutbox() async throws -> SQLiteService {
    do {
      return try await SQLiteService(path: path, migrations: migrations)
    } catch let error as PersistenceError where [.corrupt, .notADatabase].contains(error.kind) {
      guard await confirmLoss(error.description) else { throw error }
      _ = try SQLiteService.setAside(path: path)
      return try await SQLiteService(path: path, migrations: migrations)
    }
  }
}

@Suite struct ArticleConformanceTests {
  @Test(
    arguments: PersistenceConformance.suite.cases(of: "in memory") {
      try InMemoryPersistenceService(migrations: PersistenceConformance.migrations)
    })
  func `A persistence service keeps its promises`(
    _ promise: ConformanceSuite<any PersistenceService>.Case
  ) async throws {
    try await promise.verify()
  }
}
