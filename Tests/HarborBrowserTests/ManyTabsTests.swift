import BrowserDriver
import Testing

extension BrowserTests {
  @Suite struct `Many tabs` {
    @Test func `of one browser all work, because hidden tabs release their connection`()
      async throws
    {
      try await withHarbor { harbor, browser, _ in
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
  /// Makes the page believe that it is hidden.
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
