import CausewayData
import CausewayDataTesting
import CausewaySQLite
import CausewayTesting
import Testing

/// A service on its own file.
///
/// It also proves that a service can be written outside the package's drivers.
private struct ServiceInDirectory: PersistenceService {
  let directory: TemporaryDirectory
  let service: SQLiteService

  init(_ configuration: SQLiteConfiguration = .init()) async throws {
    directory = try TemporaryDirectory()
    service = try await SQLiteService(
      path: directory.file, migrations: PersistenceConformance.migrations,
      configuration: configuration)
  }

  func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    try await service.read(body)
  }

  func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    try await service.write(body)
  }

  func observe<T: Decodable & Equatable & Sendable>(_ query: SQL, as type: T.Type) -> LiveQuery<T> {
    service.observe(query, as: type)
  }

  func close() async throws(PersistenceError) {
    try await service.close()
  }
}

/// Treats a failed write as done, which breaks the promises about rolling back.
private struct Careless: PersistenceService {
  let service: InMemoryPersistenceService

  func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    try await service.read(body)
  }

  func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    let result = try await service.write { transaction in Result { try body(transaction) } }
    return try result.get()
  }

  func observe<T: Decodable & Equatable & Sendable>(_ query: SQL, as type: T.Type) -> LiveQuery<T> {
    service.observe(query, as: type)
  }

  func close() async throws(PersistenceError) {}
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () throws -> Success) {
    do { self = .success(try body()) } catch { self = .failure(error) }
  }
}

@Suite(.timeLimit(.minutes(10))) struct ConformanceTests {
  static let oneReader = {
    var configuration = SQLiteConfiguration(synchronous: .normal)
    configuration.readers = 1
    configuration.checkpointPages = 1
    return configuration
  }()

  @Test(
    arguments: PersistenceConformance.suite.cases(
      of: "in a file", make: { try await ServiceInDirectory() }, discard: { try await $0.close() })
      + PersistenceConformance.suite.cases(
        of: "with one reader", make: { try await ServiceInDirectory(oneReader) },
        discard: { try await $0.close() })
      + PersistenceConformance.suite.cases(of: "in memory") {
        try InMemoryPersistenceService(migrations: PersistenceConformance.migrations)
      })
  func `A persistence service keeps its promises`(
    _ promise: ConformanceSuite<any PersistenceService>.Case
  ) async throws {
    try await promise.verify()
  }

  @Test func `A service that keeps half a transaction or does not close is detected`() async throws
  {
    let cases = PersistenceConformance.suite.cases(of: "careless") {
      Careless(
        service: try InMemoryPersistenceService(migrations: PersistenceConformance.migrations))
    }
    var broken: [String] = []
    for promise in cases where !promise.description.contains("ends live queries") {
      do { try await promise.verify() } catch { broken.append("\(promise)") }
    }
    #expect(
      broken == [
        "careless: a write that throws changes nothing and rethrows the error",
        "careless: concurrent writes fail independently",
        "careless: rolled back changes are not delivered",
        "careless: a closed service rejects reads and writes, and closing twice does nothing",
      ])
  }
}
