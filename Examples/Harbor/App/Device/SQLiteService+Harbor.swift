import CausewayData
import CausewaySQLite

extension SQLiteService {
  /// Opens a database that must not lose rows.
  static func harbor(
    _ path: String, migrations: [Migration]
  ) async throws(StartError) -> SQLiteService {
    do {
      let store = try await SQLiteService(path: path, migrations: migrations)
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
