import CausewayWeb
import Foundation
import TestSupport
import Testing

@testable import HarborApp

struct RequestErrorTests {
  @Test func `a reported error names the request during which it happened`() async {
    let reported = Log<String>()
    var configuration = WebServer.Configuration(reportError: { reported.append("\($0)") })
    RequestError.nameRequests(in: &configuration)
    struct Broken: Error {}
    let server = WebServer(configuration: configuration)
    server.get("/activities/:id") { _ in throw Broken() }
    _ = await server.respond(to: Request(.get, "/activities/7"))
    configuration.reportError(Broken())
    #expect(reported.all == ["GET /activities/:id: Broken()", "Broken()"])
  }
}
