import BrowserDriver
import CausewayWeb
import Foundation
import TestSupport
import Testing

/// What a page must do in every browser, for each change of the library.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PageSmokeTests {
  @Test(arguments: BrowserKind.allCases)
  func `a page is live, and keeps typed text while the server restarts`(in kind: BrowserKind)
    async throws
  {
    try await OfflineLedger.run(in: kind) { ledger in
      let tab = try await ledger.openKept(rows: 1)
      let second = try await ledger.browser.newTab(besides: tab)
      try await second.visit(ledger.url)
      try await tab.click("#edit")
      try await tab.fill("#editor [name=words]", with: "half a sentence")
      await ledger.stop()
      try await tab.wait(until: "document.documentElement.dataset.connection !== 'online'")
      try await tab.click("#add")
      try await ledger.restart()
      for tab in [tab, second] { try await tab.waitUntilLive() }
      try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
      try await tab.wait(
        until: "document.querySelector('#editor [name=words]')?.value === 'half a sentence'")
      try await tab.click("#editor button")
      try await tab.waitToMiss("#editor")
      #expect(ledger.applied.all == ["add 1", "add 1", "save half a sentence"])
      #expect(await tab.problems.filter { $0.source != "network" } == [])
    }
  }

  @Test(arguments: BrowserKind.allCases)
  func `a kept page opens without a server`(in kind: BrowserKind) async throws {
    try await OfflineLedger.run(in: kind) { ledger in
      let tab = try await ledger.openKept()
      await ledger.stop()
      try await tab.open(ledger.url)
      #expect(try await tab.evaluate("\(Tab.count)", as: String.self) == "2")
      #expect(try await tab.connectionText.hasPrefix("Offline, as of "))
      try await ledger.restart()
      try await tab.waitUntilLive()
    }
  }

  @Test(arguments: BrowserKind.allCases)
  func `a link on another site keeps the identity of the browser and its open tabs`(
    in kind: BrowserKind
  ) async throws {
    // The address of the other site has another name, so its links are cross-site.
    let other = WebServer(configuration: WebServerConfiguration(port: 0))
    try await OfflineLedger.run(in: kind) { ledger in
      let url = ledger.url
      other.get("/") { _ in .html("<!doctype html><a id=\"go\" href=\"\(url)/other\">Go</a>") }
      let port = try await other.start().port
      let tab = try await ledger.openKept(rows: 1)
      let guest = try await ledger.browser.newTab(besides: tab)
      for _ in 1...2 {
        try await guest.open("http://localhost:\(port)/")
        try await guest.click("#go")
        try await guest.wait(until: "location.pathname === '/other'")
        try await guest.waitUntilLive()
      }
      #expect(Set(ledger.server.browsers.all).count == 1)
      // The first tab still has its session.
      try await tab.click("#add")
      try await tab.wait(until: "\(Tab.count) === '2'")
      try await tab.waitUntilAnswered()
      #expect(ledger.applied.all == ["add 1", "add 1"])
    }
    await other.stop(deadline: .zero)
  }

  @Test(arguments: BrowserKind.allCases)
  func `each load of a page connects at once`(in kind: BrowserKind) async throws {
    // A page that waits for the end of another stream waits for a heartbeat, which never comes.
    let server = try LedgerServer(heartbeat: .seconds(3_600))
    let url = try await server.start()
    try await withBrowser(kind) { browser in
      let tab = try await browser.newTab()
      for path in ["/", "/other", "/", "/other", "/ledgers/1", "/"] {
        try await tab.visit(url + path)
      }
      try await tab.reload()
      try await tab.waitUntilLive()
      // The session ends, and the page requests its own address again.
      server.endSessions()
      try await tab.click("#add")
      try await tab.wait(until: "\(Tab.count) === '1'")
    }
    await server.stop()
  }

  @Test(arguments: BrowserKind.allCases)
  func `a file is sent, and typed text is kept when the visitor goes back and forward`(
    in kind: BrowserKind
  )
    async throws
  {
    try await withLedger(in: kind) { server, browser, url in
      let tab = try await browser.newTab()
      try await tab.visit(url)
      try await tab.evaluate(
        """
        (() => {
          const files = new DataTransfer();
          files.items.add(new File(["boat"], "boat.txt"));
          const control = document.querySelector("[type=file]");
          control.files = files.files;
          control.dispatchEvent(new Event("change", { bubbles: true }));
        })()
        """)
      try await tab.wait(until: "document.querySelector('#file').textContent === '4 bytes'")
      try await tab.fill("#always [name=text]", with: "on the first page")
      try await tab.click("#other")
      try await tab.wait(until: "location.pathname === '/other'")
      try await tab.waitUntilLive()
      try await tab.goBack()
      try await tab.waitUntilLive()
      #expect(try await tab.value(of: "#always [name=text]") == "on the first page")
      try await tab.goForward()
      try await tab.waitUntilLive()
      #expect(try await tab.evaluate("location.pathname", as: String.self) == "/other")
      try await tab.click("#add")
      try await tab.wait(until: "\(Tab.count) === '1'")
      #expect(server.applied.all == ["search on the first page", "add 1"])
    }
  }
}

extension Tab {
  /// The shown count.
  static let count = "document.querySelector('#count').textContent"
}
