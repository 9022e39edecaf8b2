import CausewayData
import CausewayHTTP
import CausewayWeb
import Foundation
import Testing

/// The code of the front page of CausewayWeb.
@Suite(.timeLimit(.minutes(10)))
struct HostedCounterTests {
  @Test func `the page shows the state of a new view model`() async throws {
    let server = try CounterHost().makeServer()
    let address = try await server.start()
    let url = try #require(URL(string: address.url))
    let page = try await HTTPNetworkService(.init(address: url)).response(for: .init(.get, "/"))
    await server.stop()
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(page.status == 200)
    #expect(text.contains(#""count":0"#))
  }
}
