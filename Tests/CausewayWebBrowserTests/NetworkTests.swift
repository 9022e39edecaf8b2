import BrowserDriver
import Causeway
import CausewayWeb
import Foundation
import TestSupport
import Testing

extension PageTests {
  /// Pages of several people over a slow network that breaks.
  @Suite struct `A bad network` {
    /// Puts a proxy between a browser and a server of ledgers.
    private func withProxy(
      in kind: BrowserKind, shared: SharedState? = nil,
      _ body: (LedgerServer, FaultyProxy, Browser) async throws -> Void
    ) async throws {
      let server = try LedgerServer(shared: shared)
      let address = try await server.start()
      let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
      let proxy = try FaultyProxy(to: port)
      do {
        try await withBrowser(kind) { try await body(server, proxy, $0) }
      } catch {
        proxy.stop()
        await server.stop()
        throw error
      }
      proxy.stop()
      await server.stop()
    }

    @Test(arguments: BrowserKind.allCases)
    func `applies each action of six tabs and three people once`(in kind: BrowserKind) async throws
    {
      try await withProxy(in: kind) { server, proxy, browser in
        proxy.change { $0.delay = 20 }
        var tabs: [Tab] = []
        for person in 0..<3 {
          let first = try await browser.newTab(ownProfile: true)
          tabs.append(first)
          // Tabs of the first person share a browser profile, and therefore one stream.
          if person == 0 {
            for _ in 0..<5 { tabs.append(try await browser.newTab(besides: first)) }
          }
        }
        for tab in tabs { try await tab.visit(proxy.url) }
        for round in 1...2 {
          for tab in tabs {
            try await tab.evaluate("document.querySelector('#add').click()")
          }
          // Some requests and some answers are still on their way.
          await server.applied.wait(for: (round - 1) * 5 * tabs.count + 1)
          proxy.breakConnections()
          for _ in 0..<4 {
            for tab in tabs { try await tab.evaluate("document.querySelector('#add').click()") }
          }
          for tab in tabs {
            try await tab.wait(
              until: "document.querySelector('#count').textContent === '\(5 * round)'",
              limit: .seconds(60))
          }
        }
        for tab in tabs { try await tab.waitUntilAnswered() }
        #expect(server.applied.all.count == 10 * tabs.count)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `keeps an open form and a queued action while the server is away`(in kind: BrowserKind)
      async throws
    {
      try await withProxy(in: kind) { server, proxy, browser in
        let tab = try await browser.newTab()
        try await tab.visit(proxy.url)
        try await tab.click("#edit")
        try await tab.fill("[name=words]", with: "Half a th")
        proxy.change { $0.isDown = true }
        proxy.breakConnections()
        try await tab.wait(until: "document.documentElement.dataset.connection === 'offline'")
        try await tab.click("#add")
        #expect(try await tab.value(of: "[name=words]") == "Half a th")
        try await tab.screenshot("offline")
        proxy.change { $0.isDown = false }
        try await tab.waitUntilLive()
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
        #expect(try await tab.value(of: "[name=words]") == "Half a th")
        try await tab.click("#editor button")
        await server.applied.wait(for: 2)
        #expect(server.applied.all == ["add 1", "save Half a th"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `shows the progress of a file, and the file can be sent again after a failure`(
      in kind: BrowserKind
    ) async throws {
      try await withProxy(in: kind) { server, proxy, browser in
        let tab = try await browser.newTab()
        try await tab.visit(proxy.url)
        try await tab.evaluate(
          """
          globalThis.shares = [];
          new MutationObserver(() => shares.push(document.querySelector("progress").value))
            .observe(document.querySelector("progress"), { attributes: true });
          globalThis.upload = () => {
            const files = new DataTransfer();
            files.items.add(new File(["x".repeat(12_000_000)], "boat.png", { type: "image/png" }));
            const control = document.querySelector("[type=file]");
            control.files = files.files;
            control.dispatchEvent(new Event("change", { bubbles: true }));
          };
          """)
        // The file must not arrive before the connection breaks.
        proxy.change { $0.delay = 200 }
        try await tab.evaluate("upload()")
        try await tab.wait(until: "shares.some((share) => share > 0 && share < 1)")
        try await tab.screenshot("upload")
        // The browser itself sends the file once more, on a new connection.
        proxy.change { $0.isDown = true }
        proxy.breakConnections()
        try await tab.wait(until: "!document.querySelector('[data-problem]').hidden")
        try await tab.screenshot("upload-failed")
        proxy.change { $0 = .init() }
        try await tab.waitUntilLive()
        try await tab.evaluate("upload()")
        try await tab.wait(
          until: "document.querySelector('#file').textContent === '12000000 bytes'")
        try await tab.wait(until: "document.querySelector('progress').hidden")
        #expect(server.requests.all.contains { $0.path == "/files" && $0.status == .ok })
      }
    }
  }

  /// Several pages of one server, and the state that the browser keeps for them.
  @Suite struct `Several pages` {
    @Test(arguments: BrowserKind.allCases)
    func `keep their forms when the visitor goes back and forward, and after a restart`(
      in kind: BrowserKind
    )
      async throws
    {
      let port = try ReservedPort()
      let first = try LedgerServer(port: port.number)
      let url = try await first.start()
      try await withBrowser(kind) { browser in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.click("#edit")
        try await tab.fill("[name=words]", with: "on the first page")
        try await tab.click("#other")
        try await tab.wait(until: "location.pathname === '/other'")
        try await tab.waitUntilLive()
        try await tab.fill("[name=text]", with: "on the other page")
        try await tab.goBack()
        try await tab.wait(until: "location.pathname === '/'")
        try await tab.wait(
          until: "document.querySelector('[name=words]')?.value === 'on the first page'")
        try await tab.waitUntilLive()
        try await tab.goForward()
        try await tab.wait(until: "location.pathname === '/other'")
        try await tab.wait(
          until: "document.querySelector('[name=text]')?.value === 'on the other page'")
        try await tab.waitUntilLive()

        // The page has received the answers to all its actions.
        try await tab.waitUntilStorage(lacks: "causeway actions")
        await first.stop()
        try await tab.wait(until: "document.documentElement.dataset.connection !== 'online'")
        let second = try LedgerServer(port: port.number, applied: first.applied)
        _ = try await second.start()
        try await tab.waitUntilLive()
        #expect(try await tab.value(of: "[name=text]") == "on the other page")
        try await tab.click("#always button")
        try await tab.wait(until: "document.querySelector('[name=text]').value === ''")
        #expect(first.applied.all.last == "save on the other page")
        await second.stop()
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `a refused page and a page without a cookie can be read`(in kind: BrowserKind) async throws
    {
      try await withLedger(in: kind) { _, browser, url in
        let tab = try await browser.newTab()
        for (path, name) in [("/nothing", "not-found"), ("/%zz", "bad-request")] {
          try await tab.open(url + path)
          try await tab.waitToRead("This page cannot be shown")
          try await tab.screenshot(name)
        }
      }
    }
  }
}
