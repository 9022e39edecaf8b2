import BrowserDriver
import Causeway
import CausewayInspector
import CausewayWeb
import Foundation
import Testing

/// The page in a real browser, with screenshots of both widths and themes.
@Suite("The inspector in a browser", .serialized, .timeLimit(.minutes(5)))
struct InspectorBrowserTests {
  /// Opens the page of a model that has handled some actions.
  ///
  /// - Parameter refusesFiles: Whether the page may refuse a file. The browser reports a refusal as
  ///   a problem.
  private func open(
    steps: Int, refusesFiles: Bool = false,
    _ body: (Tab, Inspector, ViewModel<Search.State, Search.Action>) async throws -> Void
  ) async throws {
    let inspector = try Inspector()
    let address = try await inspector.start()
    let model = await Self.model(inspector, steps)
    try await withBrowser { browser in
      let tab = try await browser.newTab()
      try await tab.resize(width: 1_400, height: 900)
      try await tab.open(address)
      try await tab.wait(until: "document.documentElement?.dataset.connection === 'online'")
      try await body(tab, inspector, model)
      let problems = await tab.problems.filter {
        !(refusesFiles && "\($0)".contains("400 (Bad Request)"))
      }
      #expect(problems.isEmpty)
    }
    await inspector.stop()
  }

  @MainActor private static func model(
    _ inspector: Inspector, _ steps: Int
  ) async -> ViewModel<Search.State, Search.Action> {
    let search = Search(find: { query in
      if query == "storm" { throw Search.Refused() }
      return [Search.Row(id: 1, title: query), Search.Row(id: 2, title: "\(query)s")]
    })
    let model = ViewModel(
      search,
      observer: .inspected(by: inspector) { state, observer in
        ViewModel(search, initialState: state, observer: observer)
      })
    for query in ["boat", "boats", "storm"] { await model.send(.updateQuery(query)).finish() }
    model.send(.signIn(.init(name: "ana", passphrase: "open-sesame")))
    inspector.note(.network, "GET /boats", details: "200, 1.2 kB")
    inspector.note(.queries, "SELECT * FROM boats", details: "12 rows in 3 ms")
    inspector.note(.outbox, "sent rename", details: "accepted")
    for number in 0..<steps {
      model.send(.show(page: number))
      if number % 1_000 == 999 { await inspector.settle() }
    }
    await inspector.settle()
    return model
  }

  @Test(arguments: [360, 1_400], Tab.ColorScheme.allCases)
  func `looks right`(width: Int, scheme: Tab.ColorScheme) async throws {
    try await open(steps: 12) { tab, _, _ in
      try await tab.prefer(scheme, reducedMotion: true)
      try await tab.resize(width: width, height: width < 600 ? 740 : 900)
      try await tab.wait(until: "document.querySelectorAll('.row').length > 20")
      try await shoot(tab, "inspector-list", width, scheme)
      // The first update of an effect.
      try await tab.evaluate(
        "[...document.querySelectorAll('.kind-update')][0].click()")
      try await tab.waitToSee(".tree .changed")
      try await shoot(tab, "inspector-detail", width, scheme)
    }
  }

  /// Drops a file as a user does.
  private func drop(_ text: String, named name: String, on tab: Tab) async throws {
    try await tab.evaluate(
      """
      (() => {
        const files = new DataTransfer();
        files.items.add(new File([\(text.script)], \(name.script)));
        document.body.dispatchEvent(new DragEvent(
          "drop", { dataTransfer: files, bubbles: true, cancelable: true }));
      })()
      """)
  }

  @Test(arguments: [360, 1_400], Tab.ColorScheme.allCases)
  func `shows a file that is dropped on it`(width: Int, scheme: Tab.ColorScheme) async throws {
    let session = try await ScriptTests.session()
    try await open(steps: 40, refusesFiles: true) { tab, _, _ in
      try await tab.prefer(scheme, reducedMotion: true)
      try await tab.resize(width: width, height: width < 600 ? 740 : 900)
      try await drop("no recording", named: "notes.txt", on: tab)
      try await tab.wait(
        until: "document.querySelector('.problem').textContent.includes('notes.txt cannot be')")
      try await shoot(tab, "inspector-refused", width, scheme)
      let text = String(decoding: try session.jsonLines(), as: UTF8.self)
      try await drop(text, named: "session.jsonl", on: tab)
      try await tab.wait(
        until: "document.querySelectorAll('.row').length === \(session.events.count)")
      try await tab.wait(
        until: "document.querySelector('.recording').textContent.includes('session.jsonl')")
      try await shoot(tab, "inspector-recording", width, scheme)
      try await tab.evaluate("document.querySelector('.recording button').click()")
      try await tab.wait(until: "document.querySelectorAll('.row').length > 40")
    }
  }

  @Test(arguments: [360, 1_400], Tab.ColorScheme.allCases)
  func `shows the page of the app as it was`(width: Int, scheme: Tab.ColorScheme) async throws {
    let inspector = try Inspector()
    let address = try await inspector.start()
    let app = try await Lamp.serve(watchedBy: inspector)
    try await withBrowser { browser in
      let lamp = try await browser.newTab()
      try await lamp.open(app.url)
      try await lamp.wait(until: "document.documentElement?.dataset.connection === 'online'")
      for _ in 0..<5 { try await lamp.evaluate("document.querySelector('button').click()") }
      try await lamp.wait(until: "document.querySelector('output').textContent === '5'")
      let tab = try await browser.newTab()
      try await tab.resize(width: width, height: width < 600 ? 740 : 900)
      try await tab.open(address)
      try await tab.prefer(scheme, reducedMotion: true)
      try await tab.wait(until: "document.querySelectorAll('.row').length === 6")
      try await tab.evaluate("document.querySelectorAll('.row')[3].click()")
      try await tab.wait(
        until: "document.querySelector('.travel [aria-pressed]')?.checkVisibility()")
      try await tab.evaluate(
        """
        document.querySelector("#app iframe").addEventListener(
          "load", ({ target }) => { if (target.src) target.dataset.isLoaded = ""; });
        document.querySelector(".travel [aria-pressed]").click();
        """)
      try await tab.wait(until: "document.querySelector('[data-is-loaded]')?.checkVisibility()")
      try await shoot(tab, "inspector-app", width, scheme)
      #expect(await tab.problems.isEmpty)
    }
    await inspector.stop()
    await app.web.stop(deadline: .zero)
  }

  @Test(arguments: [360, 1_400], Tab.ColorScheme.allCases)
  func `shows where another order leads`(width: Int, scheme: Tab.ColorScheme) async throws {
    let inspector = try Inspector()
    let address = try await inspector.start()
    let model = await Lookup.session(isCareful: false, watchedBy: inspector)
    try await withBrowser { browser in
      let tab = try await browser.newTab()
      try await tab.resize(width: width, height: width < 600 ? 740 : 900)
      try await tab.open(address)
      try await tab.prefer(scheme, reducedMotion: true)
      try await tab.wait(until: "document.querySelectorAll('.kind-action').length === 2")
      try await tab.evaluate("[...document.querySelectorAll('.kind-action')][1].click()")
      func press(_ name: String) async throws {
        try await tab.wait(
          until: """
            [...document.querySelectorAll(".detail button")]
              .find((button) => button.textContent === \(name.script))?.checkVisibility()
            """)
        try await tab.evaluate(
          """
          [...document.querySelectorAll(".detail button")]
            .find((button) => button.textContent === \(name.script)).click()
          """)
      }
      try await press("Other orders from here")
      try await tab.waitToRead("update from look #2 before update from look #1")
      try await shoot(tab, "inspector-orders", width, scheme)
      try await press("Write a test")
      try await tab.waitToRead("run.update(from: \"look #2\")")
      try await press("Go on from its end")
      try await tab.waitToRead("A second model goes on from the end of this order.")
      try await tab.evaluate("document.querySelector('.test').scrollIntoView()")
      try await shoot(tab, "inspector-orders-test", width, scheme)
      #expect(await tab.problems.isEmpty)
    }
    #expect(await model.viewState.rows == ["ab"])
    await inspector.stop()
  }

  private func shoot(
    _ tab: Tab, _ name: String, _ width: Int, _ scheme: Tab.ColorScheme
  ) async throws {
    let overflow = try await tab.overflow
    #expect(overflow <= 0, "\(name) at \(width) px is \(overflow) px too wide")
    try await tab.screenshot("\(name)-\(width)-\(scheme.rawValue)", whole: false)
  }

  @Test func `is used with the keyboard`() async throws {
    try await open(steps: 40) { tab, _, _ in
      try await tab.wait(until: "document.querySelectorAll('.row').length > 40")
      func press(_ key: String) async throws {
        try await tab.evaluate(
          """
          document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key: \(key.script), bubbles: true, cancelable: true }))
          """)
      }
      try await press("ArrowUp")
      try await tab.wait(until: "document.querySelector('[aria-current=true]')")
      try await tab.wait(until: "document.querySelector('.bar h2')?.textContent === 'show'")
      try await press("Home")
      try await tab.wait(until: "document.querySelector('#list').scrollTop === 0")
      try await press("/")
      try await tab.wait(until: "document.activeElement.id === 'search'")
      try await tab.type("refused")
      try await tab.wait(until: "document.querySelectorAll('.row').length === 1")
      #expect(
        try await tab.evaluate(
          "document.querySelector('.row').className", as: String.self
        ).contains("kind-failure"))
      try await tab.evaluate("document.activeElement.blur()")
      try await press("Escape")
      try await tab.waitToMiss(".detail section")
      try await press(" ")
      try await tab.wait(until: "document.querySelector('#pause').ariaPressed === 'true'")
    }
  }

  @Test func `jumps in 100,000 events and keeps few rows`() async throws {
    try await open(steps: 100) { tab, inspector, model in
      for number in 1...100_000 {
        inspector.note(.queries, "SELECT \(number)")
        if number % 2_000 == 0 { await inspector.settle() }
      }
      await model.send(.show(page: 99_999))
      try await tab.wait(until: "document.querySelectorAll('.row').length === 120")
      for part in [0.5, 0.01, 0.99, 0.25] {
        // The middle of the list shows the row that belongs there.
        try await tab.evaluate(
          """
          (() => {
            const list = document.querySelector("#list");
            list.scrollTop = list.scrollHeight * \(part);
          })()
          """)
        try await tab.wait(
          until: """
            (() => {
              const list = document.querySelector("#list").getBoundingClientRect();
              const found = document.elementFromPoint(
                list.x + 200, list.y + list.height / 2)?.closest(".row");
              const time = Number(found?.querySelector(".time").textContent);
              return found !== null && found !== undefined && time >= 0;
            })()
            """)
      }
      #expect(
        try await tab.evaluate("document.querySelectorAll('.row').length", as: Int.self) <= 120)
      try await tab.evaluate("document.querySelector('#present').click()")
      try await tab.wait(
        until: """
          [...document.querySelectorAll('.row .title')].at(-1)?.textContent === '.show(page: 99999)'
          """)
    }
  }

  @Test func `follows new events, and stays where the user has scrolled`() async throws {
    try await open(steps: 200) { tab, inspector, model in
      try await tab.wait(until: "document.querySelectorAll('.row').length === 120")
      await model.send(.write(diary: "newest"))
      try await tab.wait(
        until: "[...document.querySelectorAll('.row .title')].at(-1)?.textContent.includes('write')"
      )
      let atEnd = """
        (() => {
          const list = document.querySelector("#list");
          return list.scrollTop + list.clientHeight >= list.scrollHeight - 2;
        })()
        """
      try await tab.wait(until: atEnd)
      try await tab.evaluate("document.querySelector('#list').scrollTop -= 400")
      try await tab.wait(until: "!document.querySelector('#present').classList.contains('current')")
      let top = try await tab.evaluate("document.querySelector('#list').scrollTop", as: Double.self)
      await model.send(.write(diary: "newer"))
      let total = await inspector.recording().events.count
      try await tab.wait(
        until: "document.querySelector('#window').getAttribute('total') === '\(total)'")
      let now = try await tab.evaluate("document.querySelector('#list').scrollTop", as: Double.self)
      #expect(abs(now - top) < 2)
    }
  }
}
