import CausewayData
import HarborBackend
import Testing

@testable import CausewayDatabase
@testable import CausewayPostgres

/// The database of the backends of the tests: a separate schema on a PostgreSQL server.
enum TestStore {
  static let isAvailable = ConditionTrait.enabled(
    if: TestServer.isInstalled, TestServer.skipReason)

  /// All migrations.
  static var migrations: [Migration] { BackendMigrations.postgres }

  /// - Parameter steps: Chooses the migrations to apply.
  static func make(
    _ steps: ([Migration]) -> ArraySlice<Migration> = { $0[...] }
  ) async throws -> any PersistenceService {
    try await PostgresService(
      url: TestServer.shared.value.makeSchema(),
      migrations: Array(steps(BackendMigrations.postgres)))
  }

  /// How often the live queries of a store have run.
  static func fetchCount(of store: any PersistenceService) throws -> Int {
    try #require(store as? PostgresService).live.fetchCount
  }

  /// Opens a database as a backend does, which other backends may use too.
  static func open(_ url: String) async throws -> any PersistenceService {
    try await PostgresService(url: url, migrations: BackendMigrations.postgres)
  }
}
