import CausewayWeb
import Testing

@Suite(.timeLimit(.minutes(10)))
struct OtherServersTests {
  // snippet
  @Test func `the greeting needs no socket`() async throws {
    let server = WebServer()
    server.get("/hello/:name") { request in
      .text("Hello, \(request.parameters["name"] ?? "")!")
    }
    let response = await server.respond(to: Request(.get, "/hello/Ana"))
    #expect(response.status == .ok)
    #expect(String(decoding: try await response.bytes, as: UTF8.self) == "Hello, Ana!")
  }
  // end
}
