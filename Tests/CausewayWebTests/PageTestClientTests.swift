import Causeway
import CausewayWebTesting
import TestSupport
import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10)))
struct PageTestClientTests {
  @Test func `bindings that can never work are problems`() async throws {
    let server = try WebServer.board()
    let html = """
      <html><head><!-- causeway --></head><body data-on="clik" data-action='{"add":{"_0":1}}'>
      <p data-text="count"></p><p data-text="cout"></p><p data-show="!note?"></p>
      <p data-class="a:texts.length; b:txts.length"></p>
      <input data-on="keydown.Enter input" data-action='{"add":{"_0":1}}' data-value="padding">
      </body></html>
      """
    server.page("/own", try PageTemplate(html, name: "own")) { _ in ViewModel(Board()) }
    let page = try await PageTestClient(server, path: "/own")
    #expect(
      try await page.problems == [
        #"own:1: data-on="clik": there is no event "clik"; did you mean "click"?"#,
        #"own:2: data-text="cout": the view state has no "cout"; did you mean "count"?"#,
        #"own:3: data-class="a:texts.length; b:txts.length": the view state has no "txts.length"; "#
          + #"did you mean "texts"?"#,
      ])
  }

  @Test func `the shared state and alternatives of a path are read`() async throws {
    let board = await ViewModel(Board())
    let shared = try await SharedState("board", of: board)
    let server = try WebServer.board()
    let html = """
      <html><head><!-- causeway --></head><body><p data-text="board.count"></p>
      <p data-text='board.cout'></p><p data-text="note|board.note|count"></p>
      <p data-class="a:!note|board.nope"></p><p data-text="board.late|padding?"></p>
      <p data-text="count|board.nope"></p><p data-text="count" data-format="money"></p></body></html>
      """
    server.page("/shared", try PageTemplate(html, name: "own"), sharing: { _ in shared }) { _ in
      ViewModel(Board())
    }
    let page = try await PageTestClient(server, path: "/shared")
    #expect(
      try await page.problems == [
        #"own:2: data-text="board.cout": the view state has no "board.cout"; did you mean "count"?"#,
        #"own:3: data-class="a:!note|board.nope": the view state has no "board.nope"; "#
          + #"if it is optional, write "board.nope?"."#,
        #"own:4: data-format="money": there is no format "money"; the formats are "#
          + "date, instant, links, number, percent, time, weekday.",
      ])
    try await page.send(Board.Action.add(2))
    await board.send(.add(7))
    #expect(try await page.value("board.count", as: Int.self) { $0 == 7 } == 7)
    #expect(try await page.value("count", as: Int.self) == 2)
    // A change of the page's own state arrives with the newest shared state.
    async let both = page.value("", as: Both.self) { $0.count == 3 && $0.board.count == 8 }
    await board.send(.add(1))
    try await page.send(Board.Action.add(1))
    _ = try await both
  }

  private struct Both: Decodable, Sendable {
    struct Shared: Decodable, Sendable { var count: Int }
    var count: Int
    var board: Shared
  }

  @Test func `a refused action and a missing page are errors`() async throws {
    let server = try WebServer.board()
    let page = try await PageTestClient(server)
    let error = await #expect(throws: PageTestError.self) { try await page.send(["shout": 1]) }
    #expect(error?.status == .badRequest)
    #expect(error?.detail.contains("shout") == true)
    let missing = await #expect(throws: PageTestError.self) {
      try await PageTestClient(server, path: "/nowhere")
    }
    #expect(missing?.status == .notFound)
  }

  @Test func `states of effects arrive, and pages of a browser share its cookie`() async throws {
    let gate = Gate()
    let server = try WebServer.board(gate: gate)
    let page = try await PageTestClient(server, path: "/?x=1")
    try await page.send(Board.Action.later(text: "effect"))
    gate.open()
    #expect(try await page.value("late") == "effect")
    let second = try await PageTestClient(server, cookies: page.cookies)
    #expect(second.cookies == page.cookies)
    #expect(try await second.value("count", as: Int.self) == 0)
    #expect(server.sessionCount == 2)
  }

  @Test func `a session that does not end is an error with its last state`() async throws {
    let page = try await PageTestClient(try WebServer.board())
    try await page.send(Board.Action.add(3))
    let error = await #expect(throws: PageTestError.self) {
      try await page.renewed(within: .milliseconds(20))
    }
    #expect(error?.description.contains("not ended within 0.02 seconds") == true)
    #expect(error?.description.contains(#""count":3"#) == true, "\(String(describing: error))")
  }

  @Test func `a server that never ran releases its sessions`() async throws {
    weak var sessions: Sessions?
    do {
      let server = try WebServer.board()
      sessions = server.site.sessions
      _ = try await PageTestClient(server)
      #expect(sessions?.count == 1)
    }
    await until { sessions == nil }
  }

  @Test func `a server releases the sessions that its own pages have kept`() async throws {
    weak var sessions: Sessions?
    do {
      let server = try WebServer.board()
      let opened = Log<WebSession>()
      server.page("/own", try PageTemplate(Board.page)) { session in
        opened.append(session)
        return ViewModel(Board())
      }
      sessions = server.site.sessions
      _ = try await PageTestClient(server, path: "/own")
      #expect(opened.all.count == 1)
    }
    await until { sessions == nil }
  }
}
