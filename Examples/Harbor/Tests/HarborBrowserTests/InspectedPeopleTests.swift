import BrowserDriver
import Foundation
import TestSupport
import Testing

extension BrowserTests {
  /// Ten people use a board while a developer uses the inspector's page.
  @Suite struct `Harbor under inspection` {
    /// The number of people without a browser; two more people have a browser.
    private static let clients = 8
    /// The number of plans of each person without a browser.
    private static let plans = 2
    private static var allPlans: Int { 2 + clients * plans }

    @Test(.timeLimit(.minutes(10)))
    func `serves ten people while its inspector is used`() async throws {
      try await withHarborProcess(["--empty", "--inspect", "--log", "error"]) {
        harbor, browser, _ in
        let address = try #require(harbor.inspector)
        let ana = try await browser.newTab()
        try await ana.openBoard(harbor, as: "Ana")
        let developer = try await browser.newTab()
        try await developer.resize(width: 1_400, height: 900)
        try await developer.open(address)
        try await developer.waitUntilLive()

        try await withBrowser { other in
          let ben = try await other.newTab()
          try await ben.openBoard(harbor, as: "Ben")
          async let others: Void = use(harbor)
          try await ana.compose("Fly a kite")
          try await ben.compose("Row a boat")
          try await follow(developer)
          try await others

          // Everyone sees what the others did, and nothing twice.
          for tab in [ana, ben] {
            try await tab.wait(
              until: "document.querySelectorAll('.card h3').length === \(Self.allPlans)")
            #expect(try await Set(tab.titles).count == Self.allPlans)
          }
          try await filter(developer)
          try await travel(developer)
          try await useKeyboard(developer)
          // The second model, which continued from an earlier step, did not change the board.
          #expect(try await ana.titles.count == Self.allPlans)
          for tab in [ana, ben, developer] { #expect(await tab.problems.isEmpty) }
        }
        #expect(await harbor.stop() == .code(0))
        #expect(await harbor.process.allErrors == "")
      }
    }

    /// Every other person says a name, makes plans, and opens and closes the form.
    private func use(_ harbor: HarborProcess) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for person in 0..<Self.clients {
          group.addTask {
            let page = try await PageClient(harbor)
            var actions = [#"{"setName":{"name":"Person \#(person)"}}"#]
            for plan in 0..<Self.plans {
              actions += [#"{"openComposer":{}}"#, self.plan("Plan \(plan) of \(person)", plan)]
              actions += [#"{"openComposer":{}}"#, #"{"closeComposer":{}}"#]
            }
            for (index, action) in actions.enumerated() {
              let answer = try await page.send(action, number: index + 1)
              #expect(answer.status == 200, "\(answer.text)")
            }
          }
        }
        try await group.waitForAll()
      }
    }

    private func plan(_ title: String, _ attempt: Int) -> String {
      let start = Date(timeIntervalSinceNow: 3 * 86_400).formatted(.iso8601).prefix(16)
      return #"""
        {"create":{"attempt":\#(attempt),"form":{"title":"\#(title)","place":"","notes":"","start":"\#(start)"}}}
        """#
    }

    /// Watches the newest events, and stops them for a look.
    private func follow(_ tab: Tab) async throws {
      try await tab.wait(until: "document.querySelectorAll('.row').length > 60")
      try await shoot(tab, "busy")
      try await tab.evaluate("document.activeElement.blur()")
      try await tab.press(.space)
      try await tab.wait(until: "document.querySelector('#pause').ariaPressed === 'true'")
      // Without a filter, the number of the newest event is their count.
      let newest = "document.querySelector('#window').getAttribute('total')"
      let shown = try await tab.evaluate(newest, as: String.self)
      try await shoot(tab, "paused")
      #expect(try await tab.evaluate(newest, as: String.self) == shown)
      try await tab.press(.space)
      try await tab.wait(until: "document.querySelector('#pause').ariaPressed === 'false'")
    }

    /// Finds one action of each person, and the steps of one page.
    private func filter(_ tab: Tab) async throws {
      try await tab.fill("#search", with: "setName")
      let people = Self.clients + 2
      try await tab.wait(
        until: """
          (() => {
            const rows = [...document.querySelectorAll(".row.kind-action")];
            return rows.length === \(people)
              && new Set(rows.map((row) => row.querySelector(".model").textContent)).size
                === \(people);
          })()
          """)
      try await shoot(tab, "search")
      try await tab.fill("#search", with: "")
      for lane in ["effects", "queries", "outbox", "network"] {
        try await tab.click(Element(stringLiteral: ".lane-\(lane).lane"))
      }
      try await tab.wait(
        until: """
          document.querySelectorAll(".row").length > 20
            && !document.querySelector(".row:not(.lane-actions)")
          """)
      try await tab.set("select", to: "Page 3")
      try await tab.wait(
        until: """
          document.querySelectorAll(".row").length > 5 && [...document.querySelectorAll(".model")]
            .every((model) => model.textContent === "Page 3")
          """)
      try await shoot(tab, "filter")
    }

    /// Looks at an earlier step of a page, with the page as it was, and goes on from there.
    private func travel(_ tab: Tab) async throws {
      try await tab.evaluate("[...document.querySelectorAll('.row.kind-action')].at(-1).click()")
      try await tab.waitToSee(".tree .line")
      try await shoot(tab, "step")
      try await tab.evaluate(
        """
        document.querySelector("#app iframe").addEventListener(
          "load", ({ target }) => { if (target.src) target.dataset.isLoaded = ""; });
        document.querySelector(".travel [aria-pressed]").click();
        """)
      try await tab.waitToSee("[data-is-loaded]")
      try await tab.set(".travel input", to: "2")
      try await tab.wait(until: "document.querySelector('.travel output').textContent === '2'")
      try await shoot(tab, "page")
      try await tab.evaluate("delete document.querySelector('[data-is-loaded]').dataset.isLoaded")
      try await tab.evaluate(
        """
        [...document.querySelectorAll(".travel button")]
          .find((button) => button.textContent === "Go on from here").click()
        """)
      try await tab.waitToRead("A second model goes on from step 2 of Page 3.")
      try await tab.waitToSee("[data-is-loaded]")
      try await shoot(tab, "fork")
    }

    private func useKeyboard(_ tab: Tab) async throws {
      try await tab.evaluate("document.activeElement.blur()")
      try await tab.press(.escape)
      try await tab.waitToMiss(".detail section")
      try await tab.press(.home)
      try await tab.wait(until: "document.querySelector('#list').scrollTop === 0")
      try await tab.press(.arrowUp)
      try await tab.waitToSee(".row[aria-current=true]")
      try await tab.waitToSee(".detail section")
      try await tab.press(.end)
      try await tab.wait(until: "document.querySelector('#present').classList.contains('current')")
    }

    /// Takes a screenshot for each width and color scheme.
    private func shoot(_ tab: Tab, _ name: String) async throws {
      for width in Screenshots.widths {
        try await tab.resize(width: width, height: width < 600 ? 740 : 900)
        for scheme in Tab.ColorScheme.allCases {
          try await tab.prefer(scheme, reducedMotion: true)
          let overflow = try await tab.overflow
          #expect(overflow <= 0, "\(name) at \(width) px is \(overflow) px too wide")
          try await tab.screenshot(
            "ten-people-\(name)-\(width)-\(scheme.rawValue)",
            whole: false)
        }
      }
    }
  }
}
