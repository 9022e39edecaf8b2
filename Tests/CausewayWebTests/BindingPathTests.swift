import Causeway
import CausewayWebTesting
import Foundation
import TestSupport
import Testing

@testable import CausewayWeb

/// The grammar of paths.
///
/// The page script passes the same cases in `PageModuleTests`.
@Suite(.timeLimit(.minutes(10))) struct `A path` {
  struct Cases: Decodable {
    struct Value: Decodable {
      var path: String
      var value: JSONValue?
    }

    var state, row: JSONValue
    var values: [Value]
    var refused: [String]

    static func read() throws -> Cases {
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../BindingPaths/cases.json")
      return try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    }
  }

  @Test func `reads the same values as the page script`() throws {
    let cases = try Cases.read()
    #expect(cases.values.count > 50)
    for one in cases.values {
      let found = try BindingPath(one.path).value(in: cases.state, row: cases.row)
      #expect(found ?? .null == one.value ?? .null, "\(one.path)")
    }
  }

  @Test func `is refused where the page script refuses it`() throws {
    for text in try Cases.read().refused {
      #expect(throws: BindingMistake.self, "\(text)") { try BindingPath(text) }
    }
  }

  struct Shelf: Interactor {
    struct State: Codable, Equatable, Sendable {
      var items: [String] = []
      var problem: String?
    }

    enum Action: Codable, Sendable { case add(title: String) }

    var body: some InteractorOf<Self> {
      Interact(initialValue: State()) { state, action in
        switch action {
        case .add(let title):
          state.problem = title.allSatisfy(\.isWhitespace) ? "An item needs a name." : nil
          if state.problem == nil { state.items.append(title) }
          return .state
        }
      }
    }
  }

  private func shelf() throws -> WebServer {
    let server = WebServer()
    let html = """
      <!doctype html><html lang="en"><head><title>Shelf</title><!-- causeway --></head><body>
      <form data-on="submit" data-action='{"add":{"title":"$form.title"}}' data-reset="problem?">
      <label>Item <input name="title"></label></form></body></html>
      """
    server.page("/", try PageTemplate(html)) { _ in ViewModel(Shelf()) }
    return server
  }

  @Test(
    arguments: [
      ("problem", " ", true), ("problem?", " ", true), ("!problem", " ", false),
      ("problem|items", " ", true), ("items.length", " ", 0), ("items|problem?", " ", true),
      ("problem.length", " ", 21), ("problem", "tea", .null), ("problem?", "tea", .null),
      ("!problem?", "tea", true), ("items.0", "tea", true), ("items.0.length", "tea", 3),
      ("not a path", "tea", .null),
    ] as [(String, String, JSONValue)])
  func `that a form watches is read by the server`(
    path: String, title: String, expected: JSONValue
  ) async throws {
    let server = try shelf()
    let page = try await PageTestClient(server)
    let session = try #require(page.html.firstMatch(of: /causeway-session" content="([0-9a-f]+)"/))
      .1
    let answer = await server.respond(
      to: Request(
        .post, "/_causeway/action",
        headers: [
          "Content-Type": "application/json", "Cookie": page.cookies,
          "Causeway-Session": String(session), "Causeway-Sequence": "1", "Causeway-Watch": path,
        ])
    ) { _ in Data(#"{"add":{"title":"\#(title)"}}"#.utf8) }
    let watched = try JSONValue(parsing: try await answer.bytes).value(at: "watched")
    #expect(watched == expected)
  }

  @Test func `is read by a test client as by the page`() async throws {
    let page = try await PageTestClient(try shelf())
    try await page.send(Shelf.Action.add(title: " "))
    for path in ["problem", "problem?", "nothing|problem", "problem|nothing?"] {
      #expect(try await page.value(path, as: String.self) == "An item needs a name.", "\(path)")
    }
    #expect(try await page.value("!problem?", as: Bool.self) == false)
    #expect(try await page.value("items.length", as: Int.self) == 0)
    #expect(try await page.value("problem.length", as: Int.self) == 21)
  }

  @Test(arguments: ["problem ?", "a..b", "items[0]", "problem?.length", "item.title", "!"])
  func `that is not well-formed fails at once`(path: String) async throws {
    let page = try await PageTestClient(try shelf())
    let error = await #expect(throws: PageTestError.self) {
      try await page.value(path, as: String.self, within: .seconds(600))
    }
    #expect(error?.description.isEmpty == false)
  }

  @Test func `without the awaited value fails after the limit, with the last state`() async throws {
    let page = try await PageTestClient(try shelf())
    try await page.send(Shelf.Action.add(title: "tea"))
    let error = await #expect(throws: PageTestError.self) {
      try await page.value("problem?", as: String.self, within: .milliseconds(1))
    }
    #expect(error?.description.contains("problem?") == true)
    let last = await #expect(throws: PageTestError.self) {
      try await page.value("items.length", as: Int.self, within: .seconds(1)) { $0 == 2 }
    }
    #expect(last?.description.contains("tea") == true)
  }

  @Test func `of a form that starts in a row is a problem of the page`() async throws {
    let server = WebServer()
    let html = """
      <!doctype html><html lang="en"><head><title>Shelf</title><!-- causeway --></head><body>
      <ul data-each="items"><template><li><form data-on="submit" data-reset="item.problem?"
      data-action='{"add":{"title":"x"}}'></form></li></template></ul></body></html>
      """
    server.page("/", try PageTemplate(html, name: "shelf")) { _ in ViewModel(Shelf()) }
    let page = try await PageTestClient(server)
    #expect(try await page.problems.contains { $0.contains("knows no row") })
  }
}
