import CausewayDataTesting
import CausewaySQLite
import TestSupport

@testable import CausewayData

/// The record of the tests of readers and writers.
struct Berth: Codable, Equatable, Sendable {
  var id: Int
  var name: String
}

/// A reader and a writer with a scripted network.
struct Harbour {
  let network = ScriptedNetworkService()
  let store: InMemoryPersistenceService
  let session = SessionService()
  let reader: DataReader
  let writer: DataWriter
  let failures: Log<String>

  init(withSession: Bool = false) async throws {
    store = try InMemoryPersistenceService(migrations: [
      Migration("berths", "CREATE TABLE berth (id INTEGER PRIMARY KEY, name TEXT)")
    ])
    let failures = Log<String>()
    self.failures = failures
    reader = DataReader(
      network: network, persistence: store, session: withSession ? session : nil,
      onRefreshFailure: { failures.append("\($0)") })
    writer = DataWriter(
      network: network, persistence: store, session: withSession ? session : nil,
      freshness: reader.freshness)
  }

  let berths = ReadOperation<[Berth], [Berth]>(Endpoint(.get, "/berths"), tags: ["berths"]) {
    let rows = try $0.rows("SELECT * FROM berth ORDER BY id", as: Berth.self)
    return rows.isEmpty ? nil : rows
  } store: { berths, transaction in
    try transaction.execute("DELETE FROM berth")
    try transaction.insert(berths, into: "berth")
    return berths
  }

  func stored() async throws -> [Berth] {
    try await store.read { try $0.rows("SELECT * FROM berth ORDER BY id", as: Berth.self) }
  }

  func put(_ berth: Berth) async throws {
    try await store.write { try $0.upsert(berth, into: "berth") }
  }
}
