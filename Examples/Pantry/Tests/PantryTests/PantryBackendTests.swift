import CausewaySQLite
import CausewayWeb
import Foundation
import Testing

@testable import pantry

struct PantryBackendTests {
  @Test func `a change that arrives twice is applied once`() async throws {
    let store = try InMemoryPersistenceService(migrations: PantryBackend.migrations)
    let server = WebServer()
    PantryBackend(store: store).serve(on: server)
    let body = try JSONEncoder().encode(ItemMutation.add(Item(id: "1", title: "Flour")))
    for _ in 1...2 {
      let answer = await server.respond(
        to: Request(
          .post, "/items",
          headers: ["Content-Type": "application/json", "Idempotency-Key": "k1"])
      ) { _ in body }
      #expect(answer.status == .ok)
    }
    let answer = await server.respond(to: Request(.get, "/items?since=0"))
    let page = try JSONDecoder().decode(
      PantryBackend.Page.self, from: Data(try await answer.bytes))
    #expect(page.items == [Item(id: "1", title: "Flour")])
    #expect(page.version == 1)
  }
}
