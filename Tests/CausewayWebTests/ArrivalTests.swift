import Testing

@testable import CausewayWeb

/// The identity of a browser that has followed a link on another site.
@Suite(.timeLimit(.minutes(5)))
struct ArrivalTests {
  /// The spellings of a page request without the strict cookie, for a link on another site.
  private static let links = [
    // Without a service worker; with the one of Chromium, and with the one of Firefox.
    ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"],
    ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "empty"],
    ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "same-origin", "Sec-Fetch-Dest": "empty"],
    // From another program, and over plain HTTP, where browsers describe no request.
    ["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"],
    [:],
  ]

  @Test(arguments: links)
  func `a page without the identity never replaces one that a browser may have`(
    link: [String: String]
  ) async throws {
    let server = try WebServer.board()
    let client = Client(try await server.start())
    let tab = try await Tab(client)
    let stream = try tab.stream()
    let field = try #require(await stream.headers()?["set-cookie"])
    #expect(field.hasSuffix("; Path=/; HttpOnly; SameSite=Lax"))
    let known = String(field.prefix { $0 != ";" })
    let arrival = try await client.get("/", link.merging(["Cookie": known]) { $1 })
    #expect(arrival.status == 200)
    #expect(arrival.headers["set-cookie"] == nil)
    #expect(arrival.text.contains(#"<meta http-equiv="refresh" content="0">"#))
    #expect(server.sessionCount == 1)
    // The page requests itself, with all cookies.
    let cookies = ["Cookie": "\(known); \(tab.cookie)"]
    let page = try await client.get("/", link.merging(cookies) { $1 })
    #expect(page.text.contains("<title>Board</title>"))
    #expect(page.headers["set-cookie"]?.hasPrefix("\(tab.cookie);") == true)
    #expect(try await tab.act(1, #"{"add":{"_0":1}}"#).status == 200)
    stream.cancel()
    await server.stop()
  }

  @Test func `a service worker without any cookie gets no new identity at first`() async throws {
    let server = try WebServer.board()
    let client = Client(try await server.start())
    for link in Self.links.dropLast(2) {
      let arrival = try await client.get("/", link)
      #expect(arrival.headers["set-cookie"] == nil)
      #expect(arrival.text.contains("refresh"))
    }
    #expect(server.sessionCount == 0)
    await server.stop()
  }

  @Test(arguments: links)
  func `a browser that has lost its identity gets a new one at its third request`(
    link: [String: String]
  ) async throws {
    let server = try WebServer.board()
    let url = try await server.start()
    let client = Client(url)
    let name = try await Tab(client).cookie.prefix { $0 != "=" }
    let known = "\(name.replacing("causeway-", with: "causeway-known-"))=1"
    var fields = link.merging(["Cookie": known]) { $1 }
    #expect(try await client.get("/", fields).headers["set-cookie"] == nil)
    fields["Referer"] = "\(url.url)/"
    let second = try await client.get("/", fields)
    #expect(second.text.contains("refresh"))
    let probe = try #require(second.headers["set-cookie"])
    #expect(probe.contains("; Max-Age=60; Path=/; HttpOnly; SameSite=Strict"))
    fields["Cookie"] = "\(known); \(probe.prefix { $0 != ";" })"
    let page = try await client.get("/", fields)
    #expect(page.text.contains("<title>Board</title>"))
    #expect(page.headers["set-cookie"]?.hasPrefix("\(name)=") == true)
    await server.stop()
  }

  @Test func `a page of another site cannot say that the identity is lost`() async throws {
    let server = try WebServer.board()
    let url = try await server.start()
    let client = Client(url)
    let name = try await Tab(client).cookie.prefix { $0 != "=" }
    let known = "\(name.replacing("causeway-", with: "causeway-known-"))=1"
    for referrer in ["http://evil.example/", "\(url.url).evil.example/", "\(url.url)0/"] {
      let page = try await client.get("/", ["Cookie": known, "Referer": referrer])
      #expect(page.headers["set-cookie"] == nil)
      #expect(page.text.contains("refresh"))
    }
    await server.stop()
  }
}
