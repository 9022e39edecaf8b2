import CausewayData
import CausewayHTTP
import TestSupport
import Testing

/// Responses of a proxy or a sign-in page in place of the service.
@Suite(.timeLimit(.minutes(10)))
struct ForeignAnswerTests {
  /// Calls a service whose server always sends the same response.
  private func call<T>(
    _ headers: [String: String], _ body: String, transport: TransportKind = .standard,
    _ use: (HTTPNetworkService) async throws -> T
  ) async throws -> T {
    let server = try RawServer { _, connection in
      connection.send(RawServer.answer(200, headers, body))
    }
    defer { withExtendedLifetime(server) {} }
    return try await use(makeService(server, transport: transport))
  }

  @Test(
    arguments: TransportKind.allCases,
    [
      (["Content-Type": "text/html; charset=utf-8"], "<h1>Welcome to the hotel</h1>"),
      (["Content-Type": "application/xhtml+xml"], "<html/>"),
      ([:], "\n <!DOCTYPE html><title>Sign in</title>"), ([:], "<HTML><body>Sign in"),
    ] as [([String: String], String)])
  func `an HTML page is not accepted as the response to a change`(
    _ transport: TransportKind, _ page: (headers: [String: String], body: String)
  ) async throws {
    let typed = await failure {
      try await call(page.headers, page.body, transport: transport) {
        try await $0.call(Endpoint(.post, "/orders", body: Berth(name: "North", depth: 4)))
      }
    }
    #expect(typed?.kind == .contentType, "\(String(describing: typed))")
    // The service has not received the change. So even many such pages must not reject the change.
    #expect(typed?.remoteFailure.kind == .unreachable)
    let plain = await failure {
      try await call(page.headers, page.body, transport: transport) {
        try await $0.response(for: .init(.delete, "/orders/1"))
      }
    }
    #expect(plain?.kind == .contentType, "\(String(describing: plain))")
    #expect(plain?.attempts == 1)
  }

  @Test func `an HTML page is accepted where the request asks for one`() async throws {
    try await call(["Content-Type": "text/html"], "<h1>Timetable</h1>") { network in
      let read = try await network.response(for: .init(.get, "/timetable"))
      #expect(read.mediaType == "text/html")
      let written = try await network.response(
        for: .init(.post, "/render", headers: ["accept": "text/html"]))
      #expect(written.status == 200)
    }
  }

  @Test(arguments: [([:], ""), (["Content-Type": "text/html"], ""), ([:], "done")])
  func `a short or empty response is accepted for a change`(
    _ headers: [String: String], _ body: String
  ) async throws {
    try await call(headers, body) { try await $0.call(Endpoint(.post, "/orders")) }
  }

  @Test func `a response without the service's marker header is rejected`() async throws {
    var endpoint = Endpoint<NoContent>(.post, "/orders")
    endpoint.request.answerMark = "X-Harbour"
    let marked = endpoint
    try await call(["x-harbour": "1"], "{}") { try await $0.call(marked) }
    let error = await failure { try await call([:], "{}") { try await $0.call(marked) } }
    #expect(error?.kind == .contentType, "\(String(describing: error))")
    #expect(error?.message.contains("X-Harbour") == true)
  }
}
