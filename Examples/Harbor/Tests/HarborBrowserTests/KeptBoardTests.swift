import BrowserDriver
import Foundation
import TestSupport
import Testing

extension BrowserTests {
  /// The board after a reload without its host.
  @Suite(.timeLimit(.minutes(10))) struct `A kept board` {
    @Test(arguments: Screenshots.widths, Tab.ColorScheme.allCases)
    func `is shown without the host, and sends each action once`(
      width: Int, scheme: Tab.ColorScheme
    ) async throws {
      try await Self.withHost { host, browser, restart in
        let tab = try await Self.openKept(host, browser, width, scheme)
        await host.kill()
        try await tab.reload()
        try await tab.waitToRead("Offline, as of ")
        #expect(try await tab.titles.contains("Chowder for everyone"))
        #expect(try await tab.overflow <= 0)
        try await tab.expectAccessible("kept")
        try await tab.screenshot(
          "kept-\(width)-\(scheme.rawValue)",
          whole: false)
        try await tab.click(tab.onCard("Chowder", ".join"))
        try await tab.waitToSee(tab.onCard("Chowder", ".held"))
        try await tab.reload()
        // A page that is not kept shows a message.
        let other = try await browser.newTab()
        try await other.open(host.url + "/people")
        try await other.waitToRead("this page is not kept")
        try await other.close()

        let next = try await restart()
        try await tab.waitUntilLive()
        try await tab.waitToSee(tab.onCard("Chowder", ".leave"))
        try await tab.wait(until: "!document.querySelector('[aria-busy]')")
        let names = try await tab.evaluate(
          """
          [...document.querySelectorAll('.card')]
            .find((card) => card.innerText.includes('Chowder')).querySelector('.names').textContent
          """, as: String.self)
        #expect(names.components(separatedBy: "Ana").count == 2, "\(names)")
        _ = await next.stop()
      }
    }

    @Test func `is removed at the sign-out, also without a connection to the host`() async throws {
      try await Self.withHost { host, browser, _ in
        let tab = try await Self.openKept(host, browser, 1_400, .light)
        try await tab.leaveAccount()
        await host.kill()
        for path in ["/", "/account"] {
          try await tab.open(host.url + path)
          let text = try await tab.evaluate("document.body.innerText", as: String.self)
          #expect(!text.contains("Chowder") && !text.contains("Ana"), "\(text)")
        }
      }
    }

    /// Opens the board with a name, and waits until the browser has kept it.
    private static func openKept(
      _ host: HarborProcess, _ browser: Browser, _ width: Int, _ scheme: Tab.ColorScheme
    ) async throws -> Tab {
      let tab = try await browser.newTab()
      try await tab.prefer(scheme, reducedMotion: true)
      try await tab.resize(width: width, height: width < 600 ? 740 : 900)
      try await tab.open(host.url)
      try await tab.waitUntilLive()
      try await tab.say(name: "Ana")
      // A page gets no event when its storage changes, so this looks in each frame.
      try await tab.evaluate(
        """
        (async () => {
          const { active } = await navigator.serviceWorker.ready;
          const frame = () => new Promise((done) => requestAnimationFrame(done));
          while (active.state !== "activated") await frame();
          const kept = () => new Promise((done) => {
            const opening = indexedDB.open("causeway", 1);
            opening.onsuccess = () => {
              const reading = opening.result.transaction("kept").objectStore("kept").get("/");
              reading.onsuccess = () => {
                done(reading.result ?? "");
                opening.result.close();
              };
            };
          });
          while (!(await kept()).includes('"name":"Ana"')) await frame();
        })()
        """)
      return tab
    }

    private static func withHost(
      _ body: (HarborProcess, Browser, () async throws -> HarborProcess) async throws -> Void
    ) async throws {
      try await withTemporaryDirectory { data in
        let port = try ReservedPort()
        let host = try await HarborProcess(data: data, at: port)
        do {
          try await withBrowser { browser in
            try await body(host, browser) { try await HarborProcess(data: data, at: port) }
          }
          await host.kill()
        } catch {
          await host.kill()
          throw error
        }
      }
    }
  }
}
