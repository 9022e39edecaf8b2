import BrowserDriver
import Foundation
import Testing

extension BrowserTests {
  /// Checks every state of the page at two widths, and takes pictures for people.
  @Suite struct `Screenshots` {
    static let widths = [360, 1_400]

    @Test(arguments: widths, Tab.ColorScheme.allCases)
    func `show the board`(width: Int, scheme: Tab.ColorScheme) async throws {
      try await withHarbor([]) { harbor, browser, _ in
        let tab = try await prepared(browser, harbor, width, scheme)
        try await shoot(tab, "naming", width, scheme)
        try await tab.say(name: "Ana")
        try await tab.click(tab.onCard("Chowder", ".join"))
        try await tab.waitToSee(tab.onCard("Chowder", ".leave"))
        try await shoot(tab, "board", width, scheme)

        if width < 600 { try await tab.click(".compose") }
        try await tab.compose("", notes: "Warm clothes!", start: "2020-01-01T10:00")
        try await tab.waitToRead("Give it a title")
        try await shoot(tab, "refused", width, scheme)

        try await tab.click(tab.onCard("Mend the nets", ".edit"))
        try await tab.waitToSee(".editor")
        try await shoot(tab, "editing", width, scheme)
        try await tab.click(tab.onCard("Learn to read", ".edit"))
        try await tab.click(tab.onCard("Learn to read", ".delete"))
        try await tab.waitToSee("dialog")
        try await shoot(tab, "question", width, scheme, whole: false)
      }
    }

    @Test(arguments: widths, Tab.ColorScheme.allCases)
    func `show an empty board, the name question and a lost connection`(
      width: Int, scheme: Tab.ColorScheme
    ) async throws {
      try await withHarborProcess { harbor, browser, _ in
        let tab = try await prepared(browser, harbor, width, scheme)
        try await shoot(tab, "empty", width, scheme)
        // The server loads the board before it sends the first page, so this state is not visible
        // here. It is for a board that loads slowly.
        try await tab.evaluate(
          "document.querySelectorAll('.loading, .empty').forEach((e) => { e.hidden = !e.hidden })")
        try await shoot(tab, "loading", width, scheme)
        try await tab.evaluate(
          "document.querySelectorAll('.loading, .empty').forEach((e) => { e.hidden = !e.hidden })")
        if width < 600 { try await tab.click(".compose") }
        try await tab.compose("Count the stars", place: "Breakwater")
        try await tab.waitToSee(".naming.asked")
        try await shoot(tab, "asked", width, scheme, whole: false)
        await harbor.kill()
        try await tab.wait(until: "document.documentElement.dataset.connection === 'offline'")
        try await shoot(tab, "offline", width, scheme, whole: false)
      }
    }

    @Test func `show the question for the name above the cards of a wide window`() async throws {
      try await withHarbor([]) { harbor, browser, _ in
        let tab = try await prepared(browser, harbor, 1_200, .light)
        try await tab.click(tab.onCard("Chowder", ".join"))
        try await tab.waitToSee(".naming.asked")
        try await tab.wait(
          until: """
            (() => {
              const area = document.querySelector('.naming.asked .primary').getBoundingClientRect()
              const top = document.elementFromPoint(
                area.x + area.width / 2, area.y + area.height / 2)
              return top !== null && top.closest('.naming.asked') !== null
            })()
            """)
        try await shoot(tab, "asked-over-cards", 1_200, .light, whole: false)
      }
    }

    @Test(arguments: widths)
    func `show long words and names without a horizontal scroll bar`(width: Int) async throws {
      try await withHarbor { harbor, browser, _ in
        let tab = try await prepared(browser, harbor, width, .light)
        let name = String(repeating: "W", count: 40)
        try await tab.say(name: name)
        if width < 600 { try await tab.click(".compose") }
        let words = String(repeating: "M", count: 110)
        try await tab.compose(words, place: words, notes: words)
        try await tab.waitForCard(words)
        try await tab.waitToSee(".names")
        #expect(
          try await tab.evaluate(
            "document.querySelector('.names').textContent", as: String.self) == name)
        // The header hides its overflow, so the test also checks the position of the button.
        let right = try await tab.evaluate(
          "document.querySelector('.you .link').getBoundingClientRect().right", as: Double.self)
        #expect(right <= Double(width), "The button ends at \(right) of \(width) px.")
        let height = try await tab.evaluate(
          "document.querySelector('.you .link').getBoundingClientRect().height", as: Double.self)
        #expect(height < 60, "The button's text has one line.")
        try await shoot(tab, "long", width, .light)
      }
    }

    @Test func `show an action that is not confirmed yet`() async throws {
      try await withHarborProcess([]) { harbor, browser, _ in
        let tab = try await prepared(browser, harbor, 360, .light)
        try await tab.say(name: "Ana")
        try await tab.wait(until: "!document.querySelector('[aria-busy]')")
        harbor.process.send(signal: SIGSTOP)
        // A stopped process does not end at SIGTERM.
        defer { harbor.process.send(signal: SIGCONT) }
        try await tab.click(tab.onCard("Chowder", ".join"))
        try await tab.waitToSee(tab.onCard("Chowder", ".sending"))
        try await shoot(tab, "pending", 360, .light, whole: false)
        harbor.process.send(signal: SIGCONT)
        try await tab.waitToSee(tab.onCard("Chowder", ".leave"))
        try await tab.waitToMiss(tab.onCard("Chowder", ".sending"))
        // The pressed button is gone, so the focus moves to its neighbour.
        try await tab.wait(until: "document.activeElement.matches('.leave')")
      }
    }

    private func prepared(
      _ browser: Browser, _ harbor: any RunningHarbor, _ width: Int, _ scheme: Tab.ColorScheme
    ) async throws -> Tab {
      let tab = try await browser.newTab()
      try await tab.prefer(scheme, reducedMotion: true)
      try await tab.resize(width: width, height: width < 600 ? 740 : 900)
      try await tab.open(harbor.url)
      try await tab.waitUntilLive()
      return tab
    }

    private func shoot(
      _ tab: Tab, _ name: String, _ width: Int, _ scheme: Tab.ColorScheme, whole: Bool = true
    ) async throws {
      // No element may overflow horizontally, at any width.
      let overflow = try await tab.overflow
      #expect(overflow <= 0, "\(name) at \(width) px is \(overflow) px too wide")
      try await tab.expectAccessible(name)
      // Fixed elements would otherwise be drawn at the scroll position of the last click.
      if whole { try await tab.evaluate("scrollTo(0, 0)") }
      try await tab.screenshot("\(name)-\(width)-\(scheme.rawValue)", whole: whole)
    }
  }
}

extension Tab {
  /// Checks the page by the rules of axe-core if `HARBOR_AXE` is the path of its script.
  ///
  /// `Scripts/accessibility` gets the script and sets the variable.
  func expectAccessible(_ name: String) async throws {
    guard let path = ProcessInfo.processInfo.environment["HARBOR_AXE"] else { return }
    try await evaluate(String(contentsOf: URL(filePath: path), encoding: .utf8) + "; null")
    let problems = try await evaluate(
      """
      axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => (
        nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))))
      """, as: [String].self)
    #expect(problems == [], "\(name)")
  }
}
