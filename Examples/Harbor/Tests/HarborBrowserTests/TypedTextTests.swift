import BrowserDriver
import Foundation
import TestSupport
import Testing

extension BrowserTests {
  /// Text that a person has typed, and actions that were not answered yet.
  @Suite struct `Typed text` {
    private static let title = Element(".editor input[name=title]")

    @Test(arguments: BrowserKind.allCases)
    func `in an open form survives a restart of the server`(in kind: BrowserKind) async throws {
      try await withTemporaryDirectory { data in
        let port = try ReservedPort()
        let first = try await HarborProcess(data: data, at: port, options: ["--empty"])
        try await withBrowser(kind) { browser in
          let tab = try await browser.newTab()
          try await tab.openBoard(first, as: "Ana")
          try await tab.compose("Paint the hull")
          try await tab.waitForCard("Paint the hull")
          try await tab.click(tab.onCard("Paint the hull", ".edit"))
          try await tab.fill(Self.title, with: "Paint the hull red")
          try await tab.fill(".composer textarea", with: "Half a th")
          await first.kill()
          try await tab.wait(until: "document.documentElement.dataset.connection !== 'online'")

          let second = try await HarborProcess(data: data, at: port)
          try await tab.waitUntilLive()
          try await tab.wait(
            until: "document.querySelector('.editor [name=title]')?.value === 'Paint the hull red'")
          #expect(try await tab.value(of: ".composer textarea") == "Half a th")
          try await tab.click(".editor .primary")
          try await tab.waitForCard("Paint the hull red")
          #expect(await tab.problems.filter { $0.source != "network" }.isEmpty)
          #expect(await second.stop() == .code(0))
        }
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `is sent after a late answer of the session before`(in kind: BrowserKind) async throws {
      try await withTemporaryDirectory { data in
        let port = try ReservedPort()
        let first = try await HarborProcess(data: data, at: port, options: ["--empty"])
        try await withBrowser(kind) { browser in
          let tab = try await browser.newTab()
          try await tab.openBoard(first, as: "Ana")
          try await tab.wait(until: "!document.querySelector('[aria-busy]')")
          try await tab.evaluate(
            """
            (() => {
              const real = fetch.bind(globalThis);
              globalThis.fetch = async (url, options) => {
                if (!options?.body) return real(url, options);
                globalThis.fetch = real;
                globalThis.answer = await real(url, options);
                return new Promise((done) => {
                  globalThis.release = () => done(answer);
                  document.body.dataset.isHeld = "true";
                });
              };
            })()
            """)
          try await tab.compose("Paint the hull")
          try await tab.wait(until: "document.body.dataset.isHeld")
          try await tab.waitForCard("Paint the hull")
          await first.kill()
          try await tab.wait(until: "document.documentElement.dataset.connection !== 'online'")
          let second = try await HarborProcess(data: data, at: port)
          try await tab.waitUntilLive()
          try await tab.waitToRead("please check what you did")
          try await tab.compose("Dry the sails")
          try await tab.wait(until: "document.querySelector('.composer form.is-queued')")
          try await tab.evaluate("release()")
          try await tab.waitForCard("Dry the sails")
          #expect(await second.stop() == .code(0))
        }
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `survives a reload and the way back, and the page warns before both`(in kind: BrowserKind)
      async throws
    {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor, as: "Ana")
        try await tab.compose("Mop the deck")
        // The page warns of an action without an answer too.
        try await tab.wait(until: "!document.querySelector('[aria-busy]')")
        try await tab.waitForCard("Mop the deck")
        #expect(try await !tab.reload())
        try await tab.waitUntilLive()
        try await tab.click(tab.onCard("Mop the deck", ".edit"))
        try await tab.fill(Self.title, with: "Mop the whole deck")
        try await tab.fill(".composer input[name=place]", with: "Pier 4")

        #expect(try await tab.reload())
        try await tab.waitUntilLive()
        let isBack =
          "document.querySelector('.editor [name=title]')?.value === 'Mop the whole deck'"
        try await tab.wait(until: isBack)
        #expect(try await tab.value(of: ".composer input[name=place]") == "Pier 4")
        try await tab.open("about:blank")
        try await tab.goBack()
        try await tab.waitUntilLive()
        try await tab.wait(until: isBack)

        try await tab.click(".editor .primary")
        try await tab.waitForCard("Mop the whole deck")
        try await tab.wait(until: "!document.querySelector('[aria-busy]')")
        try await tab.fill(".composer input[name=place]", with: "")
        #expect(try await !tab.reload())
        let problems = await tab.problems
        #expect(problems.isEmpty, "\(problems)")
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `stays when another card is edited, and each form saves its own card`(in kind: BrowserKind)
      async throws
    {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor, as: "Ana")
        for title in ["First card", "Second card"] {
          try await tab.compose(title)
          try await tab.waitForCard(title)
        }
        try await tab.click(tab.onCard("First card", ".edit"))
        try await tab.fill(Self.title, with: "First, changed")
        try await tab.click(tab.onCard("Second card", ".edit"))
        try await tab.wait(until: "document.querySelectorAll('.editor').length === 2")
        let texts = "[...document.querySelectorAll('.editor [name=title]')].map((e) => e.value)"
        #expect(
          try await tab.evaluate(texts, as: [String].self).sorted()
            == ["First, changed", "Second card"])
        // Escape closes the form that has the focus.
        try await tab.wait(until: "document.activeElement.value === 'Second card'")
        try await tab.press(.escape)
        try await tab.wait(until: "document.querySelectorAll('.editor').length === 1")
        try await tab.click(".editor .primary")
        try await tab.waitForCard("First, changed")
        #expect(try await tab.titles.sorted() == ["First, changed", "Second card"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `moves with its card to another day`(in kind: BrowserKind) async throws {
      try await withHarbor(in: kind) { harbor, browser, _ in
        let ana = try await browser.newTab()
        let ben = try await browser.newTab(ownProfile: true)
        try await ana.openBoard(harbor, as: "Ana")
        try await ben.openBoard(harbor, as: "Ben")
        try await ana.compose("Sort the ropes")
        try await ben.waitForCard("Sort the ropes")
        try await ana.click(ana.onCard("Sort the ropes", ".edit"))
        try await ana.fill(Self.title, with: "Sort the thick ro")
        try await ana.evaluate(
          "globalThis.field = document.activeElement; globalThis.day = field.closest('.day')")

        try await ben.click(ben.onCard("Sort the ropes", ".edit"))
        try await ben.waitToSee(".editor")
        let day = try await ben.value(of: ".editor input[name=start]")
        let year = try #require(Int(day.prefix(4)))
        try await ben.set(".editor input[name=start]", to: "\(year + 1)\(day.dropFirst(4))")
        try await ben.click(".editor .primary")
        try await ana.wait(until: "field.isConnected && field.closest('.day') !== day")
        #expect(try await ana.evaluate("field.value", as: String.self) == "Sort the thick ro")
        #expect(try await ana.evaluate("document.activeElement === field", as: Bool.self))
        #expect(
          try await ana.evaluate("document.querySelectorAll('.card').length", as: Int.self) == 1)
        #expect(await ana.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `actions without an answer are sent once after a reload`(in kind: BrowserKind) async throws
    {
      try await withHarborProcess(in: kind) { harbor, browser, _ in
        let tab = try await browser.newTab()
        try await tab.openBoard(harbor, as: "Ana")
        try await tab.wait(until: "!document.querySelector('[aria-busy]')")
        harbor.process.send(signal: SIGSTOP)
        // A stopped process does not end at SIGTERM.
        defer { harbor.process.send(signal: SIGCONT) }
        for title in ["Count the gulls", "Count the crabs"] {
          try await tab.compose(title)
          try await tab.wait(until: "document.querySelector('.composer form[aria-busy]')")
          try await tab.wait(
            until: "document.querySelector('.composer form').classList.contains('is-sent')")
        }
        // The reload ends when the server runs again.
        let resuming = Task {
          try await tab.reload()
        }
        try await tab.waitForWarning()
        harbor.process.send(signal: SIGCONT)
        #expect(try await resuming.value)
        for title in ["Count the gulls", "Count the crabs"] { try await tab.waitForCard(title) }
        try await tab.wait(until: "document.querySelector('.composer [name=title]').value === ''")
        #expect(try await tab.titles.sorted() == ["Count the crabs", "Count the gulls"])
      }
    }
  }
}
