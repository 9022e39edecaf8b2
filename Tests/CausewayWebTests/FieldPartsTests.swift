import Testing

@testable import CausewayWeb

/// Lists in header fields.
///
/// Strangers can send lists of the largest size of a field.
@Suite(.timeLimit(.minutes(10))) struct FieldPartsTests {
  @Test(arguments: [
    ("a=1; b=2", "2"), ("b=2;a=1", "2"), ("a=1;  b=x=y ", "x=y"), ("b=", ""), ("b", nil), ("", nil),
    ("bb=1;ab=2", nil), (";;b=é;", "é"), ("B=1", nil),
  ])
  func `a cookie is found by its name`(field: String, value: String?) {
    let request = Request(.get, "/", headers: ["Cookie": field])
    #expect(request.cookie("b") == value)
  }

  @Test(arguments: [
    (#""a""#, true), (#""b", "a""#, true), (#"W/"a""#, true), (#" W/"b" , W/"a" "#, true),
    ("*", true), (#""b""#, false), ("", false), (#""a"b"#, false),
  ])
  func `a list of entity tags contains a tag`(field: String, isFound: Bool) {
    #expect(EntityTag.list(field, contains: #""a""#) == isFound)
  }

  @Test(arguments: [
    ("GZIP", true), ("br;q=1, gzip ; q=0.5", true), ("gzip;q=0", false), ("*;q=0.1", true),
    ("*, gzip;q=0", false), ("gzipped", false), ("a;gzip", false),
  ])
  func `gzip is used if the client accepts it with a weight above zero`(
    field: String, isAccepted: Bool
  ) {
    #expect(Compression.acceptsGzip(field) == isAccepted)
  }

  @Test func `the client is found behind trusted proxies`() {
    var configuration = WebServerConfiguration()
    configuration.trustedProxies = ["127.0.0.1", "10.0.0.1"]
    for (field, client) in [
      ("1.2.3.4", "1.2.3.4"), ("9.9.9.9, 1.2.3.4, 10.0.0.1", "1.2.3.4"), ("", "127.0.0.1"),
      (",,1.2.3.4,, ,", "127.0.0.1"), (",,1.2.3.4,,,", "1.2.3.4"), ("name", "127.0.0.1"),
    ] {
      let request = Request(.get, "/", headers: ["X-Forwarded-For": field])
      #expect(
        RequestGuard(configuration: configuration, boundHost: nil).client(of: request) == client,
        "\(field)")
    }
  }

  @Test func `a path and a list of sessions have a largest number of parts`() async throws {
    let server = try WebServer.board()
    let client = Client(try await server.start())
    #expect(try await client.get(String(repeating: "/a", count: 256)).status == 404)
    #expect(try await client.get(String(repeating: "/a", count: 257)).status == 400)
    let tokens = Array(repeating: "a", count: 300).joined(separator: ",")
    let answer = try await client.get("/_causeway/stream", ["Causeway-Session": tokens])
    #expect(answer.status == 400)
    await server.stop()
  }
}
