import Causeway
import CausewayWebTesting
import TestSupport
import Testing

@testable import CausewayWeb

/// Pages with their own action type, several lanes or a shared stream.
@Suite(.timeLimit(.minutes(10)))
struct PageActionTests {
  private enum PageAction: Decodable, Sendable {
    case count(Int)
  }

  @Test func `a page can send only actions of its own type`() async throws {
    let server = try WebServer.board()
    server.page(
      "/own", try PageTemplate(Board.page), receiving: PageAction.self,
      as: { action in
        switch action {
        case .count(let number): Board.Action.add(number)
        }
      }
    ) { _ in ViewModel(Board()) }
    let tab = try await Tab(Client(try await server.start()), path: "/own")
    let sent = try await tab.act(1, #"{"count":{"_0":2}}"#, ["Causeway-Watch": "count"])
    #expect(sent.json?.value(at: "watched") == 2)
    let internalAction = try await tab.act(2, #"{"add":{"_0":2}}"#)
    #expect(internalAction.status == 400)
    #expect(internalAction.code == "bad-action")
    await server.stop()
  }

  @Test func `an action does not wait for a running action of another lane`() async throws {
    let gate = Gate()
    let server = WebServer(configuration: .patient)
    server.page("/", try PageTemplate(Board.page), answering: { _ in .afterEffects }) { _ in
      ViewModel(Board(gate: gate))
    }
    let tab = try await Tab(Client(try await server.start()))
    async let slow = tab.act(1, #"{"later":{"text":"t"}}"#)
    // The number belongs to the lane, so it starts at 1 again.
    let lane = ["Causeway-Lane": "other", "Causeway-Watch": "count"]
    #expect(try await tab.act(1, #"{"add":{"_0":1}}"#, lane).json?.value(at: "watched") == 1)
    #expect(try await tab.act(1, #"{"add":{"_0":1}}"#, lane).json?.value(at: "watched") == 1)
    #expect(try await tab.act(3, #"{"add":{"_0":1}}"#, lane).code == "out-of-order")
    gate.open()
    #expect(try await slow.status == 200)
    for number in 1...14 {
      #expect(
        try await tab.act(1, #"{"add":{"_0":1}}"#, ["Causeway-Lane": "\(number)"]).status == 200)
    }
    let surplus = try await tab.act(1, #"{"add":{"_0":1}}"#, ["Causeway-Lane": "15"])
    #expect(surplus.status == 400)
    await server.stop()
  }

  @Test func `one stream carries several sessions of a browser`() async throws {
    let server = try WebServer.board()
    let client = Client(try await server.start())
    let (one, stranger) = (try await Tab(client), try await Tab(client))
    let two = try await Tab(client, cookie: one.cookie)
    let unknown = String(repeating: "0", count: 32)
    let tokens = [one.token, two.token, unknown, stranger.token]
    let stream = EventStream(
      try client.request(
        "GET", "/_causeway/stream",
        [
          "Cookie": one.cookie, "Causeway-Session": tokens.joined(separator: ","),
          "Last-Event-ID": "1,1,1,1",
        ]))
    var events = stream.events.makeAsyncIterator()
    let gone = [await events.next(), await events.next()].compactMap { $0 }
    #expect(gone.allSatisfy { $0.name == "gone" })
    #expect(Set(gone.map(\.data)) == [unknown, stranger.token])
    for (tab, number) in [(one, 1), (two, 2), (one, 3)] {
      let body = #"{"say":{"text":"\#(number)"}}"#
      #expect(try await tab.act(number == 3 ? 2 : 1, body).status == 200)
      var event = try #require(await events.next())
      // The stream names a session once, before the events of the session. The first events are
      // comments.
      var subjects: [String] = []
      while event.name == "session" {
        subjects.append(event.data)
        event = try #require(await events.next())
      }
      #expect(subjects.last == tab.token)
      #expect(event.name == "patch" && event.data.contains("\(number)"))
    }
    // The end of one session does not close the stream of the others.
    server.site.sessions.end(try #require(server.site.sessions.session(two.token)))
    let ended = try #require(await events.next())
    #expect(ended.name == "gone" && ended.data == two.token)
    _ = try await one.act(3, #"{"say":{"text":"4"}}"#)
    #expect(await events.next()?.data.contains("4") == true)
    server.site.sessions.end(try #require(server.site.sessions.session(one.token)))
    #expect(await events.next()?.name == "gone")
    #expect(await events.next() == nil)
    await server.stop()
  }

  @Test func `requests are counted and logged without their query`() async throws {
    let log = Log<AccessRecord>()
    let server = try WebServer.board { $0.logAccess = { log.append($0) } }
    server.post("/items") { request in .text("\(request.body.count)") }
    server.get("/broken") { _ in throw Problem(.internalServerError, code: "x", detail: "x") }
    let client = Client(try await server.start())
    _ = try await client.send("POST", "/items?name=secret", body: "four")
    _ = try await client.get("/nothing")
    _ = try await client.get("/broken")
    await log.wait(for: 3)
    #expect(log.all.map(\.path) == ["/items", "/nothing", "/broken"])
    #expect(log.all.map(\.status.code) == [200, 404, 500])
    #expect(log.all.map(\.bodyBytes) == [4, 0, 0])
    #expect(log.all.allSatisfy { $0.remoteAddress == "127.0.0.1" && $0.duration > .zero })
    _ = try await client.get("/")
    await log.wait(for: 4)
    let counters = server.counters
    #expect(counters.requests == 4 && counters.refusals == 1 && counters.failures == 1)
    #expect(counters.sessions == 1)
    await server.stop()
  }

  @Test func `a call that names the type of its actions can switch over them`() async throws {
    let server = WebServer(configuration: .patient)
    server.page(
      "/", try PageTemplate(Board.page), receiving: Board.Action.self,
      answering: {
        switch $0 {
        case .later: .afterEffects
        default: .atOnce
        }
      },
      makeModel: { session in
        let model = ViewModel(Board())
        session.account = "ana"
        return model
      })
    let page = try await PageTestClient(server)
    #expect(try await page.send(Board.Action.add(2)) == .finished)
    #expect(try await page.value("count", as: Int.self) == 2)
  }
}
