import BrowserDriver
import TestSupport
import Testing

extension BrowserTests {
  @Suite struct `Many tabs` {
    @Test(arguments: BrowserKind.allCases)
    func `of one browser share one stream, so more than six visible tabs work`(in kind: BrowserKind)
      async throws
    {
      try await withHarbor(in: kind) { harbor, browser, _ in
        var tabs: [Tab] = []
        for _ in 0..<9 {
          let tab = try await browser.newTab()
          try await tab.openBoard(harbor, as: tabs.isEmpty ? "Ana" : nil)
          tabs.append(tab)
        }
        try await tabs[8].compose("Fly a kite")
        for tab in tabs { try await tab.waitForCard("Fly a kite") }
        // The other tabs stay connected when some are closed.
        for tab in tabs[..<3] { try await tab.close() }
        try await tabs[3].compose("Row a boat")
        for tab in tabs[3...] {
          try await tab.waitForCard("Row a boat")
          #expect(await tab.problems.isEmpty)
        }
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `share one stream and connect again after a restart`(in kind: BrowserKind) async throws {
      try await withTemporaryDirectory { data in
        let port = try ReservedPort()
        let first = try await HarborProcess(data: data, at: port, options: ["--empty"])
        try await withBrowser(kind) { browser in
          var tabs: [Tab] = []
          for _ in 0..<7 {
            let tab = try await browser.newTab()
            try await tab.openBoard(first, as: tabs.isEmpty ? "Ana" : nil)
            tabs.append(tab)
          }
          await first.kill()
          for tab in tabs {
            try await tab.wait(until: "document.documentElement.dataset.connection !== 'online'")
          }
          let second = try await HarborProcess(data: data, at: port)
          for tab in tabs { try await tab.waitUntilLive() }
          try await tabs[6].compose("Dry the sails")
          for tab in tabs { try await tab.waitForCard("Dry the sails") }
          #expect(await second.stop() == .code(0))
        }
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `of one browser all work, because hidden tabs release their connection`(
      in kind: BrowserKind
    ) async throws {
      try await withHarbor(in: kind) { harbor, browser, _ in
        var hidden: [Tab] = []
        for _ in 0..<7 {
          let tab = try await browser.newTab()
          try await tab.openBoard(harbor, as: hidden.isEmpty ? "Ana" : nil)
          try await tab.setHidden(true)
          hidden.append(tab)
        }
        let shown = try await browser.newTab()
        try await shown.openBoard(harbor)
        try await shown.compose("Fly a kite")
        try await shown.waitForCard("Fly a kite")
        // A tab that becomes visible again has missed no change.
        try await hidden[0].setHidden(false)
        try await hidden[0].waitForCard("Fly a kite")
        try await hidden[0].compose("Row a boat")
        try await shown.waitForCard("Row a boat")
      }
    }
  }
}

extension Tab {
  /// Makes the page behave as if it were hidden.
  ///
  /// A headless browser shows all its tabs.
  fileprivate func setHidden(_ isHidden: Bool) async throws {
    _ = try await evaluate(
      """
      (() => {
        Object.defineProperty(document, "hidden", { value: \(isHidden), configurable: true });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      })()
      """)
    if isHidden {
      try await wait(until: "document.documentElement.dataset.connection !== 'online'")
    }
  }
}
