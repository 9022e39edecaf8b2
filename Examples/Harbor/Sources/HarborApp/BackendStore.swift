import CausewayData
import CausewayPostgres
import CausewaySQLite
import HarborBackend

/// The place of a backend's database.
enum BackendStore: Sendable {
  /// A SQLite file, for one process at a time.
  case file(String)
  /// A PostgreSQL database, which any number of processes share.
  case server(address: String)

  init(_ options: Options, _ directory: DataDirectory) {
    self = options.databaseServer.map { .server(address: $0) } ?? .file(directory.serverDatabase)
  }

  /// Whether a value of `--store` is the address of a PostgreSQL server.
  static func isServerAddress(_ text: String) -> Bool {
    ["postgres://", "postgresql://"].contains { text.hasPrefix($0) }
  }

  /// How long a request waits for a lost database.
  ///
  /// Devices give up after 30 seconds without an answer. The answer "Send again later" must arrive
  /// earlier than that.
  private static let requestTime = Duration.seconds(5)

  /// The name in messages.
  ///
  /// It does not contain the address, which can contain a password.
  var name: String {
    switch self {
    case .file(let path): path
    case .server: "the PostgreSQL database"
    }
  }

  /// Opens the database and applies the missing migrations.
  ///
  /// - Parameter report: Receives the error once when the file is damaged, moved or replaced.
  func open(
    report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) async throws(StartError) -> any PersistenceService {
    switch self {
    case .file(let path):
      return try await SQLiteService.harbor(
        path, migrations: BackendMigrations.all, report: report)
    case .server(let address):
      do {
        var configuration = PostgresService.Configuration()
        configuration.reconnectTimeout = Self.requestTime
        return try await PostgresService(
          url: address, migrations: BackendMigrations.postgres, configuration: configuration)
      } catch is CancellationError {
        throw .cancelled
      } catch {
        throw .database(path: name, reason: "\(error)")
      }
    }
  }
}
