import CausewayData
import CausewayPostgres
import HarborBackend
import Testing

/// The database of the backends of the tests: a separate schema on a PostgreSQL server.
enum TestStore {
  static let isAvailable = ConditionTrait.enabled(
    if: TestServer.isInstalled, TestServer.skipReason)

  static func make() async throws -> any PersistenceService {
    try await open(TestServer.shared.value.makeSchema())
  }

  /// Opens a database as a backend does, which other backends may use too.
  static func open(_ url: String) async throws -> any PersistenceService {
    try await PostgresService(url: url, migrations: BackendMigrations.postgres)
  }
}
