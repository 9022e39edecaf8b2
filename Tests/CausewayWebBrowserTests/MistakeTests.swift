import BrowserDriver
import Causeway
import CausewayWeb
import Foundation
import TestSupport
import Testing

/// A page whose file has mistakes in its actions.
private struct Mistakes: Interactor {
  struct State: Encodable, Equatable, Sendable {
    var count = 0
    var words = ""
    var level = "0"
    var levels: [Level] = []
  }

  enum Action: Codable, Sendable {
    case add
    case save(words: String)
    case plan(at: Date)
    case measure(String)
  }

  struct Level: Encodable, Equatable, Identifiable, Sendable {
    var id: Int
    var name: String
  }

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .add: state.count += 1
      case .save(let words): state.words = words
      case .plan: break
      case .measure(let level):
        state.level = level
        state.levels.append(Level(id: state.levels.count, name: level))
      }
      return .state
    }
  }

  nonisolated static let page = """
    <!doctype html><html lang="en"><head><title>Mistakes</title><link rel="icon" href="data:,">
    <!-- causeway --></head><body><p role="alert" data-problem hidden></p>
    <p id="count" data-text="count"></p><p id="words" data-text="words"></p>
    <button id="add" data-on="click" data-action='{"add":{}}'>Add</button>
    <button id="text" data-on="click" data-action="add">Broken</button>
    <button id="nothing" data-on="click" data-action='"$state.other?"'>Broken</button>
    <button id="unknown" data-on="click" data-action='{"other":{}}'>Broken</button>
    <button id="lane" data-on="click" data-lane="später 晚" data-action='{"add":{}}'>Broken</button>
    <form id="plan" data-on="submit" data-action='{"plan":{"at":"$form.at"}}'>
      <input name="at" data-type="instant" value="tomorrow"><button>Plan</button></form>
    <form id="draft" data-draft="{edit" data-on="submit"
      data-action='{"save":{"words":"$form.words"}}'><input name="words"><button>Save</button></form>
    <button id="high" data-on="click" data-action='{"measure":{"_0":"high"}}'>High</button>
    <button id="low" data-on="click" data-action='{"measure":{"_0":"1"}}'>Low</button>
    <meter data-value="level"></meter><p id="level" data-text="level"></p>
    <ul data-each="levels"></ul>
    <ul id="levels" data-each="levels" data-key="id"><template><li><b data-class="is a name:item.name">
      </b><i data-text="item.name"></i></li></template></ul>
    </body></html>
    """
}

extension PageTests {
  @Suite struct `A page with mistakes` {
    private func withMistakes(
      in kind: BrowserKind, _ body: (WebServer, Browser, Tab) async throws -> Void
    ) async throws {
      var configuration = WebServerConfiguration(port: 0)
      configuration.reportError = { _ in }
      let server = WebServer(configuration: configuration)
      server.page("/", try PageTemplate(Mistakes.page)) { session in
        session.account = "ana"
        return ViewModel(Mistakes())
      }
      let url = try await server.start().url
      do {
        try await withBrowser(kind) { browser in
          let tab = try await browser.newTab()
          try await tab.visit(url)
          try await body(server, browser, tab)
        }
      } catch {
        await server.stop(deadline: .zero)
        throw error
      }
      await server.stop(deadline: .zero)
    }

    @Test(
      arguments: ["#text", "#nothing", "#unknown", "#lane", "#plan button"], BrowserKind.allCases)
    func `says that an action was refused, and goes on`(button: String, in kind: BrowserKind)
      async throws
    {
      try await withMistakes(in: kind) { _, _, tab in
        try await tab.click("#add")
        try await tab.click(Element(stringLiteral: button))
        try await tab.wait(
          until: "document.querySelector('[data-problem]:not([hidden])')?.textContent")
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '2'")
        try await tab.waitUntilAnswered()
        #expect(
          try await tab.evaluate("document.documentElement.dataset.connection", as: String.self)
            == "online")
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `shows a problem until a later action succeeds`(in kind: BrowserKind) async throws {
      try await withMistakes(in: kind) { _, _, tab in
        try await tab.evaluate(
          """
          (() => {
            const own = fetch;
            const held = new Promise((done) => { globalThis.letGo = done; });
            globalThis.fetch = async (address, ...rest) => {
              const response = await own(address, ...rest);
              if (address === "/_causeway/action") await held;
              return response;
            };
          })()
          """)
        try await tab.click("#add")
        try await tab.click("#lane")
        let isShown = "!document.querySelector('[data-problem]').hidden"
        try await tab.wait(until: isShown)
        try await tab.evaluate("letGo()")
        try await tab.waitUntilAnswered()
        #expect(try await tab.evaluate(isShown, as: Bool.self))
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('[data-problem]').hidden")
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `sends a form whose draft cannot be read, and goes on in a new session`(
      in kind: BrowserKind
    ) async throws {
      try await withMistakes(in: kind) { server, _, tab in
        try await tab.fill("[name=words]", with: "tea")
        try await tab.press(.enter)
        try await tab.wait(until: "document.querySelector('#words').textContent === 'tea'")
        try await tab.fill("[name=words]", with: "milk")
        server.endSessions(ofAccount: "ana")
        try await tab.wait(until: "document.querySelector('#words').textContent === ''")
        try await tab.waitUntilLive()
        #expect(try await tab.value(of: "[name=words]") == "milk")
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `shows all values that fit their elements`(in kind: BrowserKind) async throws {
      try await withMistakes(in: kind) { _, _, tab in
        for button in ["#high", "#low"] { try await tab.click(Element(stringLiteral: button)) }
        try await tab.wait(until: "document.querySelector('#level').textContent === '1'")
        #expect(try await tab.evaluate("document.querySelector('meter').value", as: Int.self) == 1)
        let rows =
          "[...document.querySelectorAll('#levels i')].map((row) => row.textContent).join()"
        #expect(try await tab.evaluate(rows, as: String.self) == "high,1")
        try await tab.waitUntilAnswered()
      }
    }
  }
}
