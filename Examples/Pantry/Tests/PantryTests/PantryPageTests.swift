import CausewayData
import CausewayDataTesting
import CausewaySQLite
import CausewayWeb
import CausewayWebTesting
import Testing

@testable import pantry

struct PantryPageTests {
  @Test func `two tabs show the same items, also without a server`() async throws {
    let network = ScriptedNetworkService()
    network.on(.get, "/items", .failure(NetworkError(.notConnected, message: "in the cellar")))
    let store = try InMemoryPersistenceService(migrations: SyncedPantry.migrations)
    let server = WebServer()
    try PantryPage.host(SyncedPantry(store: store, network: network), on: server)
    let (first, second) = (try await PageTestClient(server), try await PageTestClient(server))
    #expect(try await first.problems == [])

    try await first.send(PantryList.Action.add(title: "Flour"))
    let items = try await second.value("items", as: [PantryList.State.Row].self) { !$0.isEmpty }
    #expect(items.map(\.title) == ["Flour"])
    #expect(items.map(\.isPending) == [true])
  }
}
