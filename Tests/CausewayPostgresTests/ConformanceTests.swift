import CausewayData
import CausewayDataTesting
import CausewayPostgres
import CausewayTesting
import Testing

@Suite(.enabled(if: TestServer.isInstalled, TestServer.skipReason), .timeLimit(.minutes(5)))
struct ConformanceTests {
  private static func make(
    _ change: (inout PostgresService.Configuration) -> Void = { _ in }
  ) async throws -> any PersistenceService {
    var configuration = PostgresService.Configuration()
    // On a slow machine, the retries of conflicting transactions take more than ten seconds.
    configuration.busyTimeout = .seconds(120)
    change(&configuration)
    return try await PostgresService(
      url: TestServer.shared.value.makeSchema(), migrations: PersistenceConformance.migrations,
      configuration: configuration)
  }

  @Test(
    arguments: PersistenceConformance.suite.cases(
      of: "PostgreSQL", make: { try await make() }, discard: { try await $0.close() })
      + PersistenceConformance.suite.cases(
        of: "with one connection", make: { try await make { $0.connections = 1 } },
        discard: { try await $0.close() })
      + PersistenceConformance.suite.cases(
        of: "without a change log", make: { try await make { $0.observesOtherProcesses = false } },
        discard: { try await $0.close() }))
  func `A service on PostgreSQL keeps the promises of every persistence service`(
    _ promise: ConformanceSuite<any PersistenceService>.Case
  ) async throws {
    try await promise.verify()
  }
}
