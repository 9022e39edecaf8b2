import CausewayData
import CausewayDataTesting
import CausewaySQLite
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TripsTests {
  private let network = ScriptedNetworkService()

  // snippet
  func makeOutbox(path: String, session: SessionService) async throws -> Outbox {
    let store = try await SQLiteService(path: path, migrations: TripsRepository.migrations)
    let outbox = Outbox(persistence: store, session: session)
    outbox.start()
    return outbox
  }
  // end

  // snippet
  @Test func `a trip that is planned without a connection is there at once`() async throws {
    network.on(.get, "/trips", .failure(NetworkError(.notConnected, message: "on a boat")))
    let store = try InMemoryPersistenceService(migrations: TripsRepository.migrations)
    let outbox = Outbox(persistence: store, session: SessionService(account: .local))
    let repository = TripsRepository(network: network, outbox: outbox)

    try await repository.plan(Trip(id: "t1", title: "Round the island", seats: 4))

    var rows = repository.trips().makeAsyncIterator()
    let trips = try #require(try await rows.next())
    #expect(trips.map(\.title) == ["Round the island"])
    #expect(trips.map(\.isPending) == [true])
  }
  // end
}
