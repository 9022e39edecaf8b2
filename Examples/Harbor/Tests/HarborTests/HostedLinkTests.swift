import CausewayWeb
import Foundation
import HarborDomain
import HarborFeatures
import Testing

@testable import HarborApp
@testable import HarborBackend

/// Short links of a host lead to the address of its pages.
@MainActor @Suite struct `Short links of a host` {
  @Test func `begin with the public name, or with a port that a restart does not change`() {
    var options = Options()
    #expect(HarborServer.linkAddress(options)?.absoluteString == "http://127.0.0.1:8080")
    options.port = 9_000
    #expect(HarborServer.linkAddress(options)?.absoluteString == "http://127.0.0.1:9000")
    // The system chooses such a port when the server starts.
    options.port = 0
    #expect(HarborServer.linkAddress(options) == nil)
    options.port = nil
    for (host, link) in [
      ("0.0.0.0", "http://127.0.0.1:8080"), ("192.0.2.7", "http://192.0.2.7:8080"),
      ("::1", "http://[::1]:8080"),
    ] {
      options.listen = host
      #expect(HarborServer.linkAddress(options)?.absoluteString == link)
    }
    options.publicName = "board.example"
    #expect(HarborServer.linkAddress(options)?.absoluteString == "https://board.example")
  }

  @Test func `are answered by the server of the pages`() async throws {
    try await HostedPages.with { pages in
      try await pages.page().links.add(
        LinkRecord(id: "tides", target: "https://tides.example/today", created: 0))
      let server = WebServer(configuration: .init(port: 0))
      try HarborPages(pages.host).serve(on: server)
      pages.backend.serveLinks(on: server)
      let answer = await server.respond(to: Request(.get, "/l/Tides"))
      #expect(answer.headers["Location"] == "https://tides.example/today")
      #expect(await server.respond(to: Request(.get, "/l/none")).status == .notFound)
    }
  }
}
