import CausewayData
import CausewaySQLite

extension SQLiteService {
  /// Opens a database that must not lose rows.
  ///
  /// - Parameter report: Receives the error once when the file is damaged, moved or replaced.
  static func harbor(
    _ path: String, migrations: [Migration],
    report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) async throws(StartError) -> SQLiteService {
    do {
      var configuration = SQLiteConfiguration()
      // Each run of the board's query updates the shared boards, so a busy device runs the query
      // less often. The first change after a pause is shown at once.
      configuration.liveQueryPause = .milliseconds(5)
      configuration.onDamage = { (damage: SQLiteDamageReport) in report(damage.error) }
      let store = try await SQLiteService(
        path: path, migrations: migrations, configuration: configuration)
      do {
        // New rows in a damaged file could be lost.
        try await store.checkIntegrity()
        return store
      } catch {
        try? await store.close()
        throw error
      }
    } catch let error as PersistenceError where error.kind == .corrupt {
      throw .damaged(path: path, reason: error.message)
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .database(path: path, reason: "\(error)")
    }
  }
}
