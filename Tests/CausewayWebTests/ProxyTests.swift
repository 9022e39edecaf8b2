import Causeway
import TestSupport
import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct ProxyTests {
  @Test(
    arguments: [
      ([], "203.0.113.7", "127.0.0.1"), (["127.0.0.1"], "203.0.113.7", "203.0.113.7"),
      (["127.0.0.1"], "198.51.100.1, 203.0.113.7", "203.0.113.7"),
      (["127.0.0.1", "203.0.113.7"], "198.51.100.1,203.0.113.7", "198.51.100.1"),
      (["127.0.0.1"], "203.0.113.7:51234", "203.0.113.7"),
      (["127.0.0.1"], "[2001:db8::7]:51234", "2001:db8::7"),
      (["127.0.0.1"], "2001:DB8:0::7", "2001:db8::7"),
      (["127.0.0.1"], "::ffff:203.0.113.7", "203.0.113.7"),
      (["127.0.0.1"], "203.0.113.7, unknown", "127.0.0.1"),
      (["127.0.0.1"], "", "127.0.0.1"), (["203.0.113.7"], "198.51.100.1", "127.0.0.1"),
    ] as [(Set<String>, String, String)])
  func `only a trusted proxy can set the client's address`(
    trusted: Set<String>, forwarded: String, expected: String
  ) async throws {
    var configuration = WebServerConfiguration.patient
    configuration.trustedProxies = trusted
    let server = WebServer(configuration: configuration)
    server.get("/who") { request in .text(request.remoteAddress) }
    let client = Client(try await server.start())
    #expect(try await client.get("/who", ["X-Forwarded-For": forwarded]).text == expected)
    await server.stop()
  }

  @Test func `a page gets the network of its client behind a trusted proxy`() async throws {
    var configuration = WebServerConfiguration.patient
    configuration.trustedProxies = ["127.0.0.1"]
    let server = WebServer(configuration: configuration)
    let networks = Log<String>()
    server.page("/", try PageTemplate(Board.page, values: ["title": "Board"])) { session in
      networks.append(session.remoteNetwork)
      return ViewModel(Board())
    }
    let client = Client(try await server.start())
    for address in ["203.0.113.7", "2001:db8:1:2:3:4:5:6"] {
      #expect(try await client.get("/", ["X-Forwarded-For": address]).status == 200)
    }
    #expect(networks.all == ["203.0.113.7", "2001:db8:1:2::/64"])
    await server.stop()
  }

  @Test func `clients behind a trusted proxy are counted separately`() async throws {
    // A session that is unused for some seconds would be replaced on a slow machine.
    let time = TestTime()
    let server = try WebServer.board {
      $0.use(time)
      $0.trustedProxies = ["127.0.0.1"]
      $0.limits.sessionsPerAddress = 1
    }
    let client = Client(try await server.start())
    for (address, status) in [("203.0.113.7", 200), ("203.0.113.8", 200), ("203.0.113.7", 429)] {
      #expect(try await client.get("/", ["X-Forwarded-For": address]).status == status)
    }
    await server.stop()
  }

  @Test(arguments: [
    ("203.0.113.7", "203.0.113.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:db8:1:2::9", "2001:db8:1:2::/64"), ("::1", "::/64"), ("", ""),
  ])
  func `addresses of one IPv6 network are counted together`(address: String, group: String) {
    #expect(ClientAddress.group(of: address) == group)
  }

  @Test(arguments: [
    "unknown", "_hidden", "203.0.113.7:port", "203.0.113.7:99999", "[2001:db8::7", "[203.0.113.7]",
    "203.0.113.256", "1.2.3", "", "evil.example",
  ])
  func `a text that is not an address is refused`(text: String) {
    #expect(ClientAddress.normalized(text) == nil)
  }

  @Test func `a link-local address is counted without its zone`() {
    #expect(ClientAddress.normalized("fe80::1%eth0") == "fe80::1")
  }

  @Test func `the cookie behind TLS is secure and limited to its host`() async throws {
    let server = try WebServer.board { $0.isBehindTLS = true }
    let client = Client(try await server.start())
    let cookie = try #require(try await client.get("/").headers["set-cookie"])
    #expect(cookie.hasPrefix("__Host-causeway-"))
    #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict; Secure"))
    #expect(!cookie.contains("Domain"))
    // A session works with this cookie.
    let tab = try await Tab(client)
    #expect(try await tab.act(1, #"{"add":{"_0":1}}"#).status == 200)
    await server.stop()
  }

  @Test(arguments: [("board.example", 443), ("board.example:8443", 8443), ("[::1]:8443", 8443)])
  func `servers behind a proxy use one cookie`(name: String, port: Int) async throws {
    let server = try WebServer.board { $0.publish(as: name) }
    let client = Client(try await server.start())
    let cookie = try #require(try await client.get("/").headers["set-cookie"])
    #expect(cookie.hasPrefix("__Host-causeway-\(port)="))
    await server.stop()
  }
}
