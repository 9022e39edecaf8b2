import BrowserDriver
import Causeway
import CausewayWeb
import Foundation
import TestSupport
import Testing

/// A feature that uses all bindings of a page.
private struct Gallery: Interactor {
  struct Note: Encodable, Equatable, Sendable {
    var text: String
  }

  struct State: Encodable, Equatable, Sendable {
    var searches: [String] = []
    var entered = 0
    var note: Note?
    var address: String
    var picture: String?
    var saved = 0
    var opened = Date(timeIntervalSince1970: 1_767_225_600)
    var size = 1234.5
    var links = Self.withLinks

    static let withLinks =
      "See https://a.example/b?c=d#e, (HTTP://b.example)! javascript:alert(1) https:// "
      + "http://[ <a href=https:>x</a> ftp://c.example (https://c.example/d_(e)) "
      + "https://f.example/x。g https://h.example/y\u{202e}i https://j.example…"
  }

  enum Action: Codable, Sendable {
    case search(String)
    case enter
    case toggleNote
    case visit(address: String)
    case attach(picture: String)
    case save
    case count
  }

  var address = "/"
  var gate = Gate()

  var body: some InteractorOf<Self> {
    Interact(initialValue: State(address: address)) { state, action in
      switch action {
      case .search(let text): state.searches.append(text)
      case .enter: state.entered += 1
      case .toggleNote: state.note = state.note == nil ? Note(text: "A note") : nil
      case .visit(let address): state.address = address
      case .attach(let picture): state.picture = picture
      case .count: state.saved += 1
      case .save:
        let gate = gate
        return .perform { _ in await gate.wait() }
      }
      return .state
    }
  }

  nonisolated static let page = """
    <!doctype html><html lang="en"><head><title>Gallery</title><link rel="icon" href="data:,">
    <!-- causeway --></head>
    <body data-address="address" data-on="address" data-action='{"visit":{"address":"$value"}}'>
    <input id="search" data-on="input" data-debounce="50" data-action='{"search":{"_0":"$value"}}'>
    <input id="enter" data-on="keydown.Enter" data-action='{"enter":{}}'>
    <p id="searches" data-text="searches.length"></p><p id="last" data-text="searches.0?"></p>
    <p id="entered" data-text="entered"></p>
    <section><input id="inside">
      <button id="note" data-shortcut="Escape" data-on="click" data-action='{"toggleNote":{}}'>Note</button>
    </section>
    <div id="notes" data-with="note"><template><p data-text="item.text"></p></template></div>
    <p id="address" data-text="address"></p>
    <a href="/boards/3" data-on="click" data-action='{"visit":{"address":"/boards/3"}}'>Three</a>
    <input type="file" data-on="change" data-upload="/pictures"
      data-action='{"attach":{"picture":"$upload.id"}}'>
    <progress data-upload-progress hidden></progress>
    <p id="picture" data-text="picture?"></p><p role="alert" data-problem hidden></p>
    <button id="save" data-on="click" data-action='{"save":{}}'>Save</button>
    <button id="count" data-on="click" data-lane="quick" data-action='{"count":{}}'>Count</button>
    <p id="saved" data-text="saved"></p>
    <p id="time" data-text="opened" data-format="time"></p>
    <p id="size" data-text="size" data-format="number"></p>
    EXTRA
    </body></html>
    """
}

extension BrowserTests {
  /// The effects of a page's attributes in a browser.
  @Suite struct `Bindings of a page` {
    private func withGallery(
      gate: Gate = Gate(), extra: String = "", heartbeat: Duration? = nil,
      _ body: (Tab, String) async throws -> Void
    ) async throws {
      var configuration = WebServerConfiguration(port: 0)
      if let heartbeat { configuration.heartbeat = heartbeat }
      let server = WebServer(configuration: configuration)
      let template = try PageTemplate(Gallery.page.replacing("EXTRA", with: extra))
      for pattern in ["/", "/boards/:id"] {
        server.page(
          pattern, template,
          answering: { if case .save = $0 { .afterEffects } else { .atOnce } }
        ) { session in ViewModel(Gallery(address: session.path, gate: gate)) }
      }
      server.post("/pictures", bodyLimit: 1 << 20) { request in
        let name = request.headers["Causeway-File-Name"] ?? ""
        return try .json(["id": "\(name) \(request.body.count) \(try request.browser != nil)"])
      }
      let address = try await server.start()
      do {
        try await withBrowser { browser in
          let tab = try await browser.newTab()
          try await tab.open(address.url)
          try await tab.waitUntilLive()
          try await body(tab, address.url)
        }
      } catch {
        gate.open()
        await server.stop(deadline: .zero)
        throw error
      }
      await server.stop(deadline: .zero)
    }

    private func text(_ id: String, is expected: String) -> String {
      "document.getElementById(\(id.script)).textContent === \(expected.script)"
    }

    @Test func `debounce sends the last text, and a key sends an action`() async throws {
      try await withGallery { tab, _ in
        try await tab.click("#search")
        // One script types all letters, because the time between two commands of a test can be
        // long.
        try await tab.evaluate(
          "for (const letter of 'tea') document.execCommand('insertText', false, letter)")
        try await tab.wait(until: text("searches", is: "1"))
        #expect(try await tab.evaluate(text("last", is: "tea"), as: Bool.self))
        try await tab.click("#enter")
        try await tab.press(.space)
        try await tab.press(.enter)
        try await tab.wait(until: text("entered", is: "1"))
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test func `web addresses in a text become links, and nothing else in it does`() async throws {
      let notes = #"<p id="linked" data-text="links" data-format="links"></p>"#
      try await withGallery(extra: notes) { tab, _ in
        let links = try await tab.evaluate(
          "[...document.querySelectorAll('#linked a')].map((a) => [a.textContent, a.href, a.rel, a.target].join(' '))",
          as: [String].self)
        let rel = "noopener noreferrer _blank"
        #expect(
          links == [
            "https://a.example/b?c=d#e https://a.example/b?c=d#e \(rel)",
            "HTTP://b.example http://b.example/ \(rel)",
            "https://c.example/d_(e) https://c.example/d_(e) \(rel)",
            "https://f.example/x https://f.example/x \(rel)",
            "https://h.example/y https://h.example/y \(rel)",
            "https://j.example https://j.example/ \(rel)",
          ])
        #expect(try await tab.evaluate(text("linked", is: Gallery.State.withLinks), as: Bool.self))
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test func `an optional part appears and disappears, also by a shortcut`() async throws {
      try await withGallery { tab, _ in
        try await tab.wait(until: "document.querySelector('#notes p') === null")
        try await tab.click("#note")
        try await tab.wait(until: "document.querySelector('#notes p')?.textContent === 'A note'")
        try await tab.click("#inside")
        try await tab.press(.escape)
        try await tab.wait(until: "document.querySelector('#notes p') === null")
        // The shortcut has pressed its button without an error.
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test func `an address can be shared, and back and forward send actions`() async throws {
      try await withGallery { tab, url in
        try await tab.click("a")
        try await tab.wait(until: "location.pathname === '/boards/3'")
        try await tab.wait(until: text("address", is: "/boards/3"))
        try await tab.evaluate("globalThis.mark = 1; history.back()")
        try await tab.wait(until: text("address", is: "/"))
        try await tab.evaluate("history.forward()")
        try await tab.wait(until: text("address", is: "/boards/3"))
        // The page was not loaded again.
        #expect(
          try await tab.evaluate("mark === 1 && location.pathname === '/boards/3'", as: Bool.self))
        try await tab.reload()
        try await tab.wait(until: text("address", is: "/boards/3"))
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test func `the previous address stays when another change arrives before the answer`()
      async throws
    {
      try await withGallery { tab, _ in
        try await tab.click("a")
        try await tab.wait(until: text("address", is: "/boards/3"))
        try await tab.evaluate(
          """
          (() => {
            const real = fetch.bind(globalThis);
            globalThis.fetch = (url, options) => (options?.body?.includes("visit")
              ? new Promise((done) => { globalThis.release = () => done(real(url, options)); })
              : real(url, options));
            history.back();
          })()
          """)
        try await tab.wait(until: "globalThis.release !== undefined")
        try await tab.click("#count")
        try await tab.wait(until: text("saved", is: "1"))
        #expect(try await tab.evaluate("location.pathname", as: String.self) == "/")
        try await tab.evaluate("release()")
        try await tab.wait(until: text("address", is: "/"))
        #expect(try await tab.evaluate("location.pathname", as: String.self) == "/")
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test func `typed text survives a reload after the address has changed`() async throws {
      let form = """
        <form data-draft="" data-on="submit" data-action='{"search":{"_0":"$form.words"}}'>
        <input name="words"></form>
        """
      try await withGallery(extra: form) { tab, _ in
        try await tab.click("a")
        try await tab.wait(until: "location.pathname === '/boards/3'")
        try await tab.wait(until: "!document.querySelector('[aria-busy]')")
        try await tab.fill("[name=words]", with: "half a th")
        try await tab.reload()
        try await tab.waitUntilLive()
        try await tab.wait(until: "document.querySelector('[name=words]').value === 'half a th'")
      }
    }

    @Test func `a worker that sends nothing is replaced`() async throws {
      try await withGallery(heartbeat: .milliseconds(100)) { tab, _ in
        try await tab.evaluate(
          """
          (() => {
            const [Worker, listen] = [SharedWorker, MessagePort.prototype.addEventListener];
            MessagePort.prototype.addEventListener = () => {};
            globalThis.SharedWorker = class extends Worker {
              constructor(...all) {
                super(...all);
                MessagePort.prototype.addEventListener = listen;
                globalThis.isReplaced = true;
              }
            };
            dispatchEvent(new Event("pagehide"));
          })()
          """)
        try await tab.wait(until: "globalThis.isReplaced")
        try await tab.waitUntilLive()
      }
    }

    @Test func `a text with a line separator is shown`() async throws {
      try await withGallery { tab, _ in
        try await tab.set("#search", to: "a\u{2028}id: 9\u{2029}b")
        try await tab.wait(until: text("last", is: "a\u{2028}id: 9\u{2029}b"))
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test func `after an event that it cannot read, the page reads the whole state`() async throws {
      try await withGallery { tab, _ in
        try await tab.evaluate(
          """
          (() => {
            const parse = JSON.parse;
            JSON.parse = (text, ...more) => {
              if (more.length > 0 || !text.includes('"saved"')) return parse(text, ...more);
              JSON.parse = parse;
              throw new SyntaxError("damaged");
            };
          })()
          """)
        try await tab.click("#count")
        try await tab.wait(until: text("saved", is: "1"))
        try await tab.waitUntilLive()
      }
    }

    @Test func `a proxy's refusal of an action does not block the next one`() async throws {
      try await withGallery { tab, _ in
        try await tab.evaluate(
          """
          (() => {
            const real = fetch.bind(globalThis);
            globalThis.fetch = (url, options) => {
              if (!options?.body) return real(url, options);
              globalThis.fetch = real;
              return Promise.resolve(new Response("<h1>Too large</h1>", { status: 413 }));
            };
          })()
          """)
        try await tab.click("#note")
        try await tab.wait(
          until: "document.querySelector('[data-problem]').textContent.includes('not be sent')")
        #expect(
          try await tab.evaluate("document.querySelector('#notes p') === null", as: Bool.self))
        try await tab.click("#note")
        try await tab.wait(until: "document.querySelector('#notes p') !== null")
      }
    }

    @Test func `a queued action with a password is not stored`() async throws {
      let gate = Gate()
      let form = """
        <form data-on="submit" data-action='{"search":{"_0":"$form.secret"}}'>
        <input name="secret" type="password" value="open sesame"><button id="send">Send</button></form>
        """
      try await withGallery(gate: gate, extra: form) { tab, _ in
        try await tab.click("#save")
        try await tab.wait(until: "document.querySelector('#save').matches('.is-sent')")
        try await tab.click("#send")
        try await tab.wait(until: "document.querySelector('form').matches('.is-queued')")
        try await tab.click("#note")
        try await tab.evaluate("dispatchEvent(new Event('pagehide'))")
        let stored = try await tab.evaluate("Object.values(sessionStorage).join()", as: String.self)
        #expect(stored.contains("save") && stored.contains("toggleNote"), "\(stored)")
        #expect(!stored.contains("open sesame"))
        gate.open()
        try await tab.wait(until: text("last", is: "open sesame"))
      }
    }

    @Test func `the worker opens no page whose session has ended`() async throws {
      try await withGallery { tab, _ in
        try await tab.evaluate(
          """
          (async () => {
            const headers = { Accept: "application/json" };
            const { session } = await (await fetch(location.href, { headers })).json();
            const address = document.querySelector("meta[name=causeway-worker]").content;
            const messages = [];
            for (const each of [session, "0".repeat(32)]) {
              const { port } = new SharedWorker(address, "test");
              port.onmessage = ({ data }) => { document.body.dataset.read = messages.push(data); };
              port.postMessage({ session: each, version: "0" });
            }
            Object.assign(globalThis, { live: session, messages });
          })()
          """)
        try await tab.wait(
          until: """
            globalThis.messages?.some(({ status }) => status === 410)
              && messages.some(({ blocks }) => blocks)
            """)
        #expect(
          try await tab.evaluate(
            "messages.filter(({ isOpen }) => isOpen).every(({ session }) => session === live)",
            as: Bool.self))
        #expect(try await tab.evaluate("messages.some(({ isOpen }) => isOpen)", as: Bool.self))
      }
    }

    private func upload(_ bytes: Int) -> String {
      """
      (() => {
        const files = new DataTransfer();
        files.items.add(new File(["x".repeat(\(bytes))], "pic ü.png", { type: "image/png" }));
        const control = document.querySelector("[type=file]");
        control.files = files.files;
        control.dispatchEvent(new Event("change", { bubbles: true }));
      })()
      """
    }

    @Test func `a file is uploaded separately from the actions, with progress`() async throws {
      let gate = Gate()
      try await withGallery(gate: gate) { tab, _ in
        try await tab.evaluate(
          """
          globalThis.shown = new MutationObserver((all) => {
            if (!document.querySelector("progress").hidden) globalThis.seen = true;
          });
          shown.observe(document.querySelector("progress"), { attributes: true });
          """)
        try await tab.evaluate(upload(500_000))
        try await tab.wait(until: text("picture", is: "pic%20%C3%BC.png 500000 true"))
        try await tab.wait(until: "document.querySelector('progress').hidden")
        #expect(try await tab.evaluate("seen", as: Bool.self))
        // A refused file is a problem on the page, and sends no action.
        try await tab.evaluate(upload(2_000_000))
        try await tab.wait(until: "!document.querySelector('[data-problem]').hidden")
        try await tab.wait(until: text("picture", is: "pic%20%C3%BC.png 500000 true"))
      }
    }

    @Test func `an action of another lane overtakes, and waiting actions are marked`() async throws
    {
      let gate = Gate()
      try await withGallery(gate: gate) { tab, _ in
        try await tab.click("#save")
        try await tab.wait(until: "document.querySelector('#save').matches('.is-sent[aria-busy]')")
        try await tab.click("#note")
        #expect(
          try await tab.evaluate(
            "document.querySelector('#note').matches('.is-queued')", as: Bool.self))
        try await tab.click("#count")
        try await tab.wait(until: text("saved", is: "1"))
        #expect(
          try await tab.evaluate("document.querySelector('#notes p') === null", as: Bool.self))
        gate.open()
        try await tab.wait(until: "document.querySelector('#notes p') !== null")
        try await tab.wait(until: "!document.querySelector('.is-sent, .is-queued, [aria-busy]')")
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test func `dates and numbers are in the language and zone of the viewer`() async throws {
      try await withGallery { tab, _ in
        let shown = try await tab.evaluate(
          "[document.querySelector('#time').textContent, document.querySelector('#size').textContent]",
          as: [String].self)
        let expected = try await tab.evaluate(
          """
          [new Intl.DateTimeFormat(navigator.languages, { timeStyle: "short" })
            .format(new Date("2026-01-01T00:00:00Z")),
            new Intl.NumberFormat(navigator.languages).format(1234.5)]
          """, as: [String].self)
        #expect(shown == expected)
      }
    }

    @Test(arguments: [
      ("<p data-text='titel'></p>", "titel"), ("<p data-on='clik'></p>", "clik"),
      ("<p data-text='size' data-format='money'></p>", "money"),
      ("<p data-attr='onclick:size'></p>", "onclick"),
    ])
    func `a binding that cannot work is an error in the console`(
      html: String, name: String
    ) async throws {
      try await withGallery(extra: html) { tab, _ in
        let problems = await tab.problems
        #expect(problems.count == 1 && problems.first?.text.contains(name) == true, "\(problems)")
      }
    }

    @Test func `times of the board are in the zone of its viewer`() async throws {
      try await withHarbor { harbor, browser, _ in
        let ana = try await browser.newTab()
        let ben = try await browser.newTab(ownProfile: true)
        try await ana.move(toTimeZone: "Europe/Lisbon")
        try await ben.move(toTimeZone: "Asia/Tokyo")
        try await ana.openBoard(harbor, as: "Ana")
        try await ben.openBoard(harbor)
        let year = Calendar(identifier: .gregorian).component(.year, from: .now) + 1
        try await ana.compose("Watch the ice", start: "\(year)-01-15T18:30")
        try await ben.waitForCard("Watch the ice")
        #expect(
          try await ben.evaluate("document.querySelector('.when time').textContent") == "03:30")
        try await ben.waitToRead("16 January")
        try await ana.waitForCard("Watch the ice")
        #expect(
          try await ana.evaluate("document.querySelector('.when time').textContent") == "18:30")
        try await ana.waitToRead("15 January")
      }
    }
  }
}
