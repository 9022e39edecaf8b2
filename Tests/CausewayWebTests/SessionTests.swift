import Causeway
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct SessionTests {
  @Test func `the page contains its first state and sets a strict cookie`() async throws {
    let server = try WebServer.board()
    let page = try await Client(try await server.start()).get("/")
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(page.headers["cache-control"] == "no-store")
    #expect(page.text.contains("<title>Board</title>"))
    #expect(page.text.contains(#"<script type="application/json" id="state">{"#))
    #expect(page.text.contains(#"<meta name="causeway-version" content="1">"#))
    let cookie = try #require(page.headers["set-cookie"])
    #expect(cookie.hasSuffix("; Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict"))
    let value = try #require(cookie.split(separator: "=").dropFirst().first?.prefix { $0 != ";" })
    #expect(BrowserCookies.isWellFormed(String(value)))
    await server.stop()
  }

  @Test func `every tab has its own model`() async throws {
    let server = try WebServer.board()
    let client = Client(try await server.start())
    let one = try await Tab(client)
    let two = try await Tab(client, cookie: one.cookie)
    #expect(one.token != two.token)
    #expect(try await one.act(1, #"{"add":{"_0":5}}"#).json == ["sequence": 1])
    let watched = try await two.act(1, #"{"add":{"_0":1}}"#, ["Causeway-Watch": "count"])
    #expect(watched.json == ["sequence": 1, "watched": 1])
    #expect(server.sessionCount == 2)
    await server.stop()
  }

  @Test func `a bad action is reported by name and the session continues`() async throws {
    let server = try WebServer.board()
    let tab = try await Tab(Client(try await server.start()))
    let bad = try await tab.act(1, #"{"shout":{}}"#)
    #expect(bad.status == 400)
    #expect(bad.text.contains(#"the member \"shout\", which is not a case of Action"#))
    // A resent action gets the same answer, and the next number is unused.
    #expect(try await tab.act(1, #"{"add":{"_0":1}}"#).json == bad.json)
    #expect(try await tab.act(2, #"{"say":{}}"#).text.contains(#"\"text\" is missing in \"say\""#))
    #expect(try await tab.act(3, "{").text.contains("not well-formed"))
    let good = try await tab.act(4, #"{"add":{"_0":1}}"#, ["Causeway-Watch": "count"])
    #expect(good.json?.value(at: "watched") == 1)
    await server.stop()
  }

  @Test func `a resent action is applied once and a gap in the numbers is rejected`() async throws {
    let server = try WebServer.board()
    let tab = try await Tab(Client(try await server.start()))
    let watch = ["Causeway-Watch": "count"]
    let first = try await tab.act(1, #"{"add":{"_0":1}}"#, watch)
    #expect(try await tab.act(1, #"{"add":{"_0":1}}"#, watch).json == first.json)
    let gap = try await tab.act(3, #"{"add":{"_0":1}}"#, watch)
    #expect(gap.status == 409)
    #expect(gap.json?.value(at: "expected") == 2)
    let second = try await tab.act(2, #"{"add":{"_0":1}}"#, watch)
    #expect(second.json?.value(at: "watched") == 2)
    await server.stop()
  }

  @Test func `an action that was answered long ago is not applied under another number`()
    async throws
  {
    let server = try WebServer.board()
    let tab = try await Tab(Client(try await server.start()))
    let last = UInt64(ActionLedger<Int>.remembered + 1)
    for number in 1...last { _ = try await tab.act(number, #"{"add":{"_0":1}}"#) }
    let old = try await tab.act(1, #"{"add":{"_0":1}}"#)
    #expect(old.status == 409 && old.code == "number-used")
    #expect(old.json?.value(at: "expected") == nil)
    let gap = try await tab.act(
      last + 2, #"{"add":{"_0":1}}"#, ["Causeway-Gap": "1", "Causeway-Watch": "count"])
    #expect(gap.json?.value(at: "watched") == .integer(Int64(last) + 1))
    await server.stop()
  }

  @Test func `concurrent actions with the same number are applied once`() async throws {
    let server = try WebServer.board()
    let tab = try await Tab(Client(try await server.start()))
    let counts = try await withThrowingTaskGroup(of: JSONValue?.self) { group in
      for _ in 0..<16 {
        group.addTask {
          try await tab.act(1, #"{"add":{"_0":1}}"#, ["Causeway-Watch": "count"]).json
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: ["sequence": 1, "watched": 1], count: 16))
    await server.stop()
  }

  @Test func `only the session's own browser and page can send actions`() async throws {
    let server = try WebServer.board()
    let client = Client(try await server.start())
    let tab = try await Tab(client)
    let action = #"{"add":{"_0":1}}"#
    let stranger = try await tab.act(1, action, ["Cookie": "other=1"])
    #expect(stranger.status == 410)
    let wrong = String(repeating: "0", count: 32)
    #expect(try await tab.act(1, action, ["Causeway-Session": wrong]).code == "unknown-session")
    let none = try await client.send(
      "POST", "/_causeway/action", ["Content-Type": "application/json"], body: action)
    #expect(none.status == 401)
    #expect(try await tab.act(1, action, ["Origin": "http://evil.example"]).status == 403)
    #expect(try await tab.act(1, action, ["Content-Type": "text/plain"]).status == 415)
    #expect(try await tab.act(1, action, ["Causeway-Sequence": "x"]).status == 400)
    #expect(try await tab.act(1, action).status == 200)
    let frame = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"]
    #expect(try await client.get("/", frame).status == 403)
    #expect(server.sessionCount == 1)
    await server.stop()
  }

  @Test func `a link from another site does not disconnect open tabs`() async throws {
    let server = try WebServer.board()
    let client = Client(try await server.start())
    let tab = try await Tab(client)
    // The browser does not send the strict cookie, and gets no new cookie that would replace it.
    let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"]
    let arrival = try await client.get("/", link)
    #expect(arrival.status == 200)
    #expect(arrival.headers["set-cookie"] == nil)
    #expect(arrival.text.contains(#"<meta http-equiv="refresh" content="0">"#))
    #expect(server.sessionCount == 1)
    // A service worker can pass the navigation on. A script of another site cannot make one.
    var passed = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "empty"]
    #expect(try await client.get("/", passed).status == 403)
    passed["Sec-Fetch-Mode"] = "navigate"
    #expect(try await client.get("/", passed).status == 200)
    // When that page requests the board, the browser sends the cookie, which stays the same.
    let own = ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "document", "Cookie": tab.cookie]
    let page = try await client.get("/", own)
    #expect(page.text.contains("<title>Board</title>"))
    #expect(page.headers["set-cookie"]?.hasPrefix("\(tab.cookie);") == true)
    #expect(try await tab.act(1, #"{"add":{"_0":1}}"#).status == 200)
    await server.stop()
  }

  @Test func `a model identifies its browser by a name that is not the cookie`() async throws {
    let server = try WebServer.board()
    let browsers = Mutex<[String]>([])
    server.page("/who", try PageTemplate(Board.page)) { session in
      browsers.withLock { $0.append(session.browser) }
      return ViewModel(Board())
    }
    let client = Client(try await server.start())
    let (ana, ben) = (try await Tab(client), try await Tab(client))
    for tab in [ana, ben, ana] {
      #expect(try await client.get("/who", ["Cookie": tab.cookie]).status == 200)
    }
    let seen = browsers.withLock { $0 }
    try #require(seen.count == 3)
    #expect(seen[0] == seen[2])
    #expect(seen[0] != seen[1])
    #expect(seen.allSatisfy { $0.utf8.count >= 43 })
    let secret = try #require(ana.cookie.split(separator: "=").last)
    #expect(!seen[0].contains(secret))
    await server.stop()
  }

  @Test func `excess actions are rejected and can be sent again`() async throws {
    let server = try WebServer.board {
      $0.limits.actionsPerSecond = 0.001
      $0.limits.actionBurst = 2
    }
    let tab = try await Tab(Client(try await server.start()))
    #expect(try await tab.act(1, #"{"add":{"_0":1}}"#).status == 200)
    #expect(try await tab.act(2, #"{"add":{"_0":1}}"#).status == 200)
    let refused = try await tab.act(3, #"{"add":{"_0":1}}"#)
    #expect(refused.status == 429)
    #expect(refused.headers["retry-after"] != nil)
    await server.stop()
  }

  @Test func `a page that requests a new session ends its old one`() async throws {
    let server = try WebServer.board()
    let client = Client(try await server.start())
    let (old, stranger) = (try await Tab(client), try await Tab(client))
    let foreign = ["Causeway-Session": stranger.token]
    _ = try await Tab(client, cookie: old.cookie, headers: foreign)
    #expect(server.sessionCount == 3)
    let new = try await Tab(client, cookie: old.cookie, headers: ["Causeway-Session": old.token])
    #expect(server.sessionCount == 3)
    #expect(try await old.act(1, #"{"add":{"_0":1}}"#).code == "unknown-session")
    #expect(try await new.act(1, #"{"add":{"_0":1}}"#).status == 200)
    #expect(try await stranger.act(1, #"{"add":{"_0":1}}"#).status == 200)
    await server.stop()
  }

  @Test(arguments: ["UTC", "Nowhere/Land"])
  func `a page has the zone's name as the browser has written it`(zone: String) async throws {
    let server = try WebServer.board()
    let client = Client(try await server.start())
    let answer = try await client.get("/", ["Cookie": "causeway-zone=\(zone)"])
    #expect(answer.text.contains(#"<meta name="causeway-zone" content="\#(zone)">"#))
    await server.stop()
  }

  @Test func `the time zone of the viewer is read, and other texts are not`() async throws {
    let server = try WebServer.board()
    let zones = Log<String?>()
    server.page("/zone", try PageTemplate(Board.page)) { session in
      zones.append(session.timeZone?.identifier)
      return ViewModel(Board())
    }
    let client = Client(try await server.start())
    for zone in ["Asia/Tokyo", "../../etc/passwd", "Nowhere/Land", ""] {
      #expect(try await client.get("/zone", ["Cookie": "causeway-zone=\(zone)"]).status == 200)
    }
    #expect(zones.all == ["Asia/Tokyo", nil, nil, nil])
    await server.stop()
  }

  @Test func `sessions above the limit are rejected`() async throws {
    let time = TestTime()
    let server = try WebServer.board {
      $0.limits.sessions = 2
      // On a slow machine, a page without a stream would end before the last request.
      $0.use(time)
    }
    let client = Client(try await server.start())
    for _ in 0..<2 {
      // The server could end the session of a page that has not sent an action, to make room.
      #expect(try await Tab(client).act(1, #"{"add":{"_0":1}}"#).status == 200)
    }
    let refused = try await client.get("/")
    #expect(refused.status == 503)
    #expect(refused.code == "too-many-sessions")
    await server.stop()
  }

  @Test func `an idle session ends with its stream, and its page can start a new one`() async throws
  {
    let time = TestTime()
    let server = try WebServer.board {
      $0.limits.idleTime = .seconds(600)
      $0.use(time)
    }
    let client = Client(try await server.start())
    let tab = try await Tab(client)
    let stream = try tab.stream()
    #expect(await stream.status() == 200)
    time.advance(by: .seconds(601), server)
    for await _ in stream.items {}
    #expect(try await tab.act(1, #"{"add":{"_0":1}}"#).code == "unknown-session")
    #expect(try await Tab(client, cookie: tab.cookie).token != tab.token)
    await server.stop()
  }

  @Test func `a session ends a fixed time after its stream`() async throws {
    let time = TestTime()
    let server = try WebServer.board {
      $0.limits.streamGrace = .seconds(60)
      $0.heartbeat = .milliseconds(20)
      $0.use(time)
    }
    let tab = try await Tab(Client(try await server.start()))
    let stream = try tab.stream()
    #expect(await stream.status() == 200)
    // An open stream keeps the session for many times the grace period.
    time.advance(by: .seconds(1200), server)
    #expect(try await tab.act(1, #"{"add":{"_0":1}}"#).status == 200)
    stream.cancel()
    // The server notices the end of the stream at its next heartbeat.
    await until {
      time.advance(by: .seconds(61), server)
      return server.sessionCount == 0
    }
    #expect(try await tab.act(2, #"{"add":{"_0":1}}"#).code == "unknown-session")
    await server.stop()
  }
}
