import CausewayWeb
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HostingTests {
  private static func configured() -> WebServerConfiguration {
    // snippet
    var configuration = WebServerConfiguration(port: 8080)
    configuration.allowedHosts = ["board.example"]  // the name that people type
    configuration.trustedProxies = ["127.0.0.1"]  // limits count people, not the proxy
    configuration.isBehindTLS = true  // the cookie is Secure and __Host-
    // end
    return configuration
  }

  private static func run(_ server: WebServer) async throws {
    // snippet
    let address = try await server.start()
    print("Listening at \(address.url)")
    for await _ in ShutdownSignal.received() { break }
    await server.stop(deadline: .seconds(20))
    // end
  }

  private static func addPictures(
    to server: WebServer, store: @escaping @Sendable (Data) async throws -> String
  ) {
    // snippet
    server.post("/pictures", bodyLimit: 5 << 20, access: .sessions) { request in
      try .json(["id": try await store(request.body)])
    }
    // end
  }

  @Test func `pictures are accepted from pages only`() async throws {
    let server = try WebServer.board()
    Self.addPictures(to: server) { "\($0.count) bytes" }
    let client = Client(try await server.start())
    let tab = try await Tab(client)
    let stored = try await client.send("POST", "/pictures", tab.headers, body: "four")
    #expect(stored.json == ["id": "4 bytes"])
    #expect(try await client.send("POST", "/pictures", body: "four").status == 401)
    await server.stop()
  }

  @Test func `the configuration answers for the public name`() async throws {
    var configuration = Self.configured()
    configuration.port = 0
    let server = WebServer(configuration: configuration)
    server.get("/who") { request in .text(request.remoteAddress) }
    let client = Client(try await server.start())
    let answer = try await client.get(
      "/who", ["Host": "board.example", "X-Forwarded-For": "203.0.113.7"])
    #expect(answer.text == "203.0.113.7")
    await server.stop()
  }
}
