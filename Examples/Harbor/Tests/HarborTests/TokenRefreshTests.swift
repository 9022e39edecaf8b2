import CausewayData
import CausewayHTTP
import Foundation
import HarborDomain
import Testing

@Test(.timeLimit(.minutes(10)))
func `a refresh of tokens runs no query of an event stream`() async throws {
  let store = try await TestStore.make()
  try await Server.with(store) { server in
    let ana = try await server.member("Ana")
    var events = ana.network.events(
      for: NetworkRequest(.get, "/groups/\(ana.group)/activities/events")
    ).makeAsyncIterator()
    #expect(try await events.next()?.data == "0")
    // Each refresh adds tokens.
    var tokens = store.observe("SELECT hash FROM token ORDER BY hash", as: String.self)
      .makeAsyncIterator()
    #expect(try await tokens.next()?.count == 2)
    let before = try TestStore.fetchCount(of: store)
    let refresh = Endpoint<AuthToken>(
      .post, "/tokens/refresh", body: ["refresh_token": ana.tokens.refresh ?? ""])
    for _ in 1...8 {
      _ = try await server.guest.value(for: refresh)
      _ = try await tokens.next()
    }
    // The query of this test runs 8 times. The 2 access queries of the stream may run for the first
    // time after `before`.
    #expect(try TestStore.fetchCount(of: store) - before <= 8 + 2)
  }
}
