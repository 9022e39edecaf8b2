import CausewayData
import CausewaySQLite
import HarborBackend
import Testing

/// The database of the backends of the tests: SQLite in memory.
///
/// `HarborPostgresTests` runs the same tests of the backend with a PostgreSQL server.
enum TestStore {
  static let isAvailable = ConditionTrait.enabled(if: true)

  static func make() async throws -> any PersistenceService {
    try InMemoryPersistenceService(migrations: BackendMigrations.all)
  }
}
