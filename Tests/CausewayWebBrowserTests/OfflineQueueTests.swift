import BrowserDriver
import CausewayWeb
import Foundation
import TestSupport
import Testing

extension PageTests {
  /// Actions that wait without a connection, when their tab is closed.
  @Suite struct `Actions that wait on this device` {
    @Test func `are taken over by a page at the same address only`() async throws {
      try await OfflineLedger.run { ledger in
        let tab = try await ledger.openKept(rows: 1, at: ledger.url + "/ledgers/1")
        await ledger.stop()
        try await tab.reload()
        try await tab.click("#add")
        try await tab.waitUntilWaiting("add")
        let next = try await ledger.browser.newTab(besides: ledger.close(tab))
        try await ledger.restart()
        // This page has the same file, but shows other data.
        try await next.visit(ledger.url + "/ledgers/2")
        try await next.click("#edit")
        try await next.waitToSee("#editor")
        try await next.waitUntilAnswered()
        #expect(ledger.applied.all == ["add 1"])
        try await next.visit(ledger.url + "/ledgers/1")
        try await next.wait(until: "document.querySelector('#count').textContent === '1'")
        #expect(ledger.applied.all == ["add 1", "add 1"])
      }
    }

    @Test func `are all sent, also if two tabs have numbered them alike`() async throws {
      try await OfflineLedger.run { ledger in
        let tab = try await ledger.openKept(rows: 1)
        await ledger.stop()
        let second = try await ledger.browser.newTab(besides: tab)
        try await second.open(ledger.url)
        for tab in [tab, second] {
          try await tab.reload()
          try await tab.click("#add")
          try await tab.waitUntilWaiting("add")
        }
        _ = try await ledger.close(tab)
        try await second.reload()
        try await ledger.restart()
        try await second.waitUntilLive()
        try await second.wait(until: "document.querySelector('#count').textContent === '2'")
        #expect(ledger.applied.all == ["add 1", "add 1", "add 1"])
      }
    }

    @Test func `are found by the same routes as on the server`() async throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/CausewayWeb/PageScript/places.js")
      let script = try String(contentsOf: file, encoding: .utf8).replacing("export ", with: "")
      try await withBrowser { browser in
        let tab = try await browser.newTab()
        for (pattern, path, isMatch) in [
          ("/", "/", true), ("/", "/a", false), ("/**", "/", false), ("/**", "/a/b", true),
          ("/wiki/**", "/wiki", false), ("/wiki/**", "/wiki/", true), ("/wiki/**", "/wiki/a/b", true),
          ("/:id", "/", false), ("/:id", "/a", true), ("/a", "/a/b", false), ("/a", "/a/", false),
          ("/a/:b", "/a/c%20d", true), ("/a/:b", "/a/%", false), ("/a b", "/a%20b", true),
        ] {
          #expect(
            try await tab.evaluate(
              "(() => { \(script); return routed([[\(pattern.script), 1]], \(path.script)) === 1 })()",
              as: Bool.self) == isMatch, "\(pattern) \(path)")
        }
      }
    }
  }
}
