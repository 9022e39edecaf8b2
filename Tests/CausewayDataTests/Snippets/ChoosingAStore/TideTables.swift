// snippet
import CausewayData

struct Tide: Codable, Equatable, Sendable {
  var harbour: String
  var hour: Int
  var level: Double
}

/// Read by all users, changed by few, and only with a connection.
struct TideTables: Sendable {
  static let migrations = [
    Migration(
      "create tide",
      """
      CREATE TABLE tide (
        harbour TEXT NOT NULL, hour INTEGER NOT NULL, level REAL NOT NULL,
        PRIMARY KEY (harbour, hour))
      """)
  ]

  private let reader: DataReader
  private let writer: DataWriter

  init(network: any NetworkService, store: any PersistenceService) {
    reader = DataReader(network: network, persistence: store)
    writer = DataWriter(network: network, persistence: store, freshness: reader.freshness)
  }

  func tides(in harbour: String) async throws -> [Tide] {
    let operation = ReadOperation<[Tide], [Tide]>(
      Endpoint(.get, "/harbours/\(harbour)/tides"), tags: ["tides"]
    ) { transaction in
      let tides = try transaction.rows(
        "SELECT * FROM tide WHERE harbour = \(harbour) ORDER BY hour", as: Tide.self)
      return tides.isEmpty ? nil : tides
    } store: { tides, transaction in
      try transaction.execute("DELETE FROM tide WHERE harbour = \(harbour)")
      try transaction.insert(tides, into: "tide")
      return tides
    }
    return try await reader.read(operation).get()
  }

  func correct(_ tide: Tide) async throws {
    try await writer.write(
      WriteOperation(.put, "/tides", body: tide, invalidates: ["tides"])
    ).get()
  }
}
// end
