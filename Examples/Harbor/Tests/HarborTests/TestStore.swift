import CausewayData
import HarborBackend
import Testing

@testable import CausewayDatabase
@testable import CausewaySQLite

/// The database of the backends of the tests: SQLite in memory.
///
/// `HarborPostgresTests` runs the same tests of the backend with a PostgreSQL server.
enum TestStore {
  static let isAvailable = ConditionTrait.enabled(if: true)

  /// All migrations.
  static var migrations: [Migration] { BackendMigrations.all }

  /// - Parameter steps: Chooses the migrations to apply.
  static func make(
    _ steps: ([Migration]) -> ArraySlice<Migration> = { $0[...] }
  ) async throws -> any PersistenceService {
    try InMemoryPersistenceService(migrations: Array(steps(BackendMigrations.all)))
  }

  /// How often the live queries of a store have run.
  static func fetchCount(of store: any PersistenceService) throws -> Int {
    try #require(store as? InMemoryPersistenceService).live.fetchCount
  }
}
