import CausewayData
import CausewayDataTesting
import CausewaySQLite
import Testing

/// The code of the article on choosing a store.
@Suite(.timeLimit(.minutes(10)))
struct TideTablesTests {
  @Test func `tides are read from the network once, and again after a correction`() async throws {
    let network = ScriptedNetworkService()
    let low = Tide(harbour: "Kiel", hour: 3, level: 0.2)
    let high = Tide(harbour: "Kiel", hour: 3, level: 0.3)
    network.on(.get, "/harbours/Kiel/tides", .json([low]), .json([high]))
    network.on(.put, "/tides", .status(204))
    let store = try InMemoryPersistenceService(migrations: TideTables.migrations)
    let tables = TideTables(network: network, store: store)

    #expect(try await tables.tides(in: "Kiel") == [low])
    #expect(try await tables.tides(in: "Kiel") == [low])
    #expect(network.requests.count == 1)
    try await tables.correct(high)
    #expect(try await tables.tides(in: "Kiel") == [high])
  }
}
