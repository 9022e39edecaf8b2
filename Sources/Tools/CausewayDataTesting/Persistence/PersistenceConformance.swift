public import CausewayDatabase
public import CausewayTesting

/// The requirements for every `PersistenceService`, as a suite of tests.
///
/// ```swift
/// @Suite(.timeLimit(.minutes(1))) struct ConformanceTests {
///   @Test(
///     arguments: PersistenceConformance.suite.cases(of: "in memory") {
///       try InMemoryPersistenceService(migrations: PersistenceConformance.migrations)
///     })
///   func `A persistence service keeps its promises`(
///     _ promise: ConformanceSuite<any PersistenceService>.Case
///   ) async throws {
///     try await promise.verify()
///   }
/// }
/// ```
///
/// A broken promise throws an error that describes it. A broken promise about live queries may also
/// make a test wait. The test then ends with an error after the limit of
/// `ConformanceSuite.Case.verify(within:)`.
public enum PersistenceConformance {
  typealias Requirement = ConformanceSuite<any PersistenceService>.Requirement

  /// The tables that the suite needs.
  ///
  /// Each test starts with empty tables. SQLite and PostgreSQL both accept these statements.
  public static let migrations = [
    Migration(
      "create item",
      """
      CREATE TABLE item (
        id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE, size BIGINT CHECK (size >= 0))
      """),
    Migration(
      "create part",
      "CREATE TABLE part (id BIGINT PRIMARY KEY, item BIGINT NOT NULL REFERENCES item (id))"),
    Migration(
      "create thing",
      """
      CREATE TABLE thing (
        id TEXT PRIMARY KEY, flag SMALLINT, small SMALLINT, large BIGINT, ratio DOUBLE PRECISION,
        real DOUBLE PRECISION, name TEXT, made DOUBLE PRECISION, bytes BYTEA, data BYTEA, kind TEXT,
        link TEXT, note TEXT, count BIGINT, refit DOUBLE PRECISION, engine TEXT, empty TEXT)
      """),
    cells,
  ]

  /// All promises.
  ///
  /// Each test needs a new service with `migrations`.
  public static let suite = ConformanceSuite<any PersistenceService>(
    reading + writing + isolation + failures + roundTrips + types + injection
      + liveQueries + endings)
}

/// A row of the suite's first table.
struct Item: Codable, Equatable, Sendable {
  var id: Int
  var name: String
  var size: Int?
}

extension PersistenceService {
  /// Returns the names of all items, ordered by id.
  func names() async throws -> [String] {
    try await read { try $0.rows("SELECT name FROM item ORDER BY id", as: String.self) }
  }

  func add(_ id: Int, _ name: String) async throws {
    try await write { try $0.insert(Item(id: id, name: name), into: "item") }
  }

  func observeNames() -> LiveQuery<String> {
    observe("SELECT name FROM item ORDER BY id", as: String.self)
  }
}
