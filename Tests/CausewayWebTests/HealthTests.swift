import CausewayWeb
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The health of a server` {
  private func server(
    _ reported: Log<String> = Log(), within limit: Duration = .seconds(600),
    check: @escaping @Sendable () async throws -> Void
  ) -> WebServer {
    let server = WebServer(configuration: .init(reportError: { reported.append("\($0)") }))
    server.health(within: limit, check: check)
    return server
  }

  private func answer(of server: WebServer) async throws -> (status: Int, text: String) {
    let response = await server.respond(to: Request(.get, "/health"))
    var text = ""
    for try await chunk in response.chunks { text += String(decoding: chunk, as: UTF8.self) }
    return (response.status.code, text)
  }

  @Test func `is good while the check succeeds`() async throws {
    let answer = try await answer(of: server {})
    #expect(answer == (200, #"{"status":"ok"}"#))
  }

  @Test func `is bad with the reason of a problem, and hides other errors`() async throws {
    let problem = Problem(.serviceUnavailable, code: "full", detail: "The disk is full.")
    let full = try await answer(of: server { throw problem })
    #expect(full.status == 503 && full.text.contains("The disk is full."))
    struct Broken: Error { var secret = "opensesame" }
    let reported = Log<String>()
    let broken = try await answer(of: server(reported) { throw Broken() })
    #expect(broken.status == 503 && !broken.text.contains("opensesame"))
    #expect(reported.all == ["\(Broken())"])
  }

  @Test func `is bad while a check does not end, with one check for all requests`() async throws {
    let (release, end) = AsyncStream<Void>.makeStream()
    let begun = Log<Int>()
    let server = server(within: .milliseconds(1)) {
      begun.append(1)
      if begun.all.count > 1 { return }
      // The check ignores its cancellation.
      await Task { for await _ in release {} }.value
    }
    for _ in 1...3 {
      let answer = try await answer(of: server)
      #expect(answer.status == 503 && answer.text.contains("has not ended"))
    }
    #expect(begun.all.count == 1)
    end.finish()
    while try await answer(of: server).status != 200 {
      // Other tests keep a thread for a while. So this test must release its thread to the check.
      try Task.checkCancellation()
      await Task.yield()
    }
    #expect(begun.all.count > 1)
  }
}

struct FormTests {
  @Test func `a form has the texts that the browser encodes`() async throws {
    let server = WebServer()
    server.post("/form") { request in
      .text("\(request.form("a") ?? "-")|\(request.form("b") ?? "-")")
    }
    for (form, text) in [
      ("a=x+y%2B%26%3D%C3%A9&b=&c=1", "x y+&=é|"), ("", "-|-"), ("a=%zz&b=2#&b=3", "-|2#"),
    ] {
      let response = await server.respond(to: Request(.post, "/form")) { _ in Data(form.utf8) }
      var bytes: [UInt8] = []
      for try await chunk in response.chunks { bytes += chunk }
      #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
  }
}
