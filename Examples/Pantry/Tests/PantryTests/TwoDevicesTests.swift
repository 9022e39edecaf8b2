import CausewayData
import CausewayHTTP
import CausewaySQLite
import CausewayWeb
import Foundation
import Testing

@testable import pantry

@Suite(.timeLimit(.minutes(5)))
struct TwoDevicesTests {
  @Test func `two devices show the items of both after the server has come back`() async throws {
    // The server is started later. Until then, no device can reach it.
    let server = WebServer(configuration: .init(port: 0))
    let store = try InMemoryPersistenceService(migrations: PantryBackend.migrations)
    PantryBackend(store: store).serve(on: server)
    let gone = try #require(URL(string: "http://127.0.0.1:9"))
    let kitchenStore = try InMemoryPersistenceService(migrations: SyncedPantry.migrations)
    let offline = SyncedPantry(
      store: kitchenStore, network: HTTPNetworkService(.init(address: gone)))
    try await offline.add(Item(title: "Flour"))

    // The device is started again, now with the server.
    let url = try #require(URL(string: try await server.start().url))
    let network = HTTPNetworkService(.init(address: url))
    let kitchen = SyncedPantry(store: kitchenStore, network: network)
    let shop = SyncedPantry(
      store: try InMemoryPersistenceService(migrations: SyncedPantry.migrations),
      network: network)
    let work = Task {
      async let first: Void = kitchen.synchronise()
      async let second: Void = shop.synchronise()
      _ = await (first, second)
    }
    try await shop.add(Item(title: "Salt"))
    for device in [kitchen, shop] {
      #expect(try await titles(on: device, count: 2) == ["Flour", "Salt"])
    }
    work.cancel()
    await work.value
    await server.stop()
  }

  /// The titles as soon as there are so many, and the server has all of them.
  private func titles(on device: SyncedPantry, count: Int) async throws -> [String] {
    for try await items in device.items()
    where items.count == count && items.allSatisfy({ !$0.isPending }) {
      return items.map(\.title)
    }
    return []
  }
}
