import BrowserDriver
import CausewayWeb
import Foundation
import TestSupport
import Testing

extension PageTests {
  /// Actions and texts in the tab's session storage.
  @Suite struct `Stored actions` {
    @Test(arguments: BrowserKind.allCases)
    func `are applied once after a tab was hidden, shown and killed`(in kind: BrowserKind)
      async throws
    {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.click("#wait")
        try await tab.wait(until: "document.querySelector('#wait').matches('.is-sent')")
        try await tab.click("#add")
        try await tab.setHidden(true)
        try await tab.setHidden(false)
        server.gate.open()
        // These actions get more answers than the server stores.
        for _ in 0..<40 { try await tab.evaluate("document.querySelector('#add').click()") }
        try await tab.wait(until: "document.querySelector('#count').textContent === '41'")
        try await tab.waitUntilAnswered()
        try await tab.killAndReload()
        // The stored actions are sent before this one.
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
        try await tab.waitUntilAnswered()
        #expect(server.applied.all.filter { $0 == "wait" }.count == 1)
        #expect(server.applied.all.count == 43, "\(server.applied.all)")
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `are sent with the same numbers by a page that was killed before the answer`(
      in kind: BrowserKind
    ) async throws {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.click("#wait")
        try await tab.wait(until: "document.querySelector('#wait').matches('.is-sent')")
        await server.applied.wait(for: 1)
        try await tab.click("#add")
        try await tab.killAndReload()
        server.gate.open()
        await server.applied.wait(for: 2)
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
        #expect(server.applied.all == ["wait", "add 1", "add 1"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `are sent by the first tab only if the tab was duplicated`(in kind: BrowserKind)
      async throws
    {
      try await withLedger(in: kind) { server, browser, url in
        let first = try await browser.newTab()
        try await first.visit(url)
        try await first.click("#wait")
        try await first.wait(until: "document.querySelector('#wait').matches('.is-sent')")
        try await first.click("#add")
        let stored = try await first.evaluate(
          "new Promise((done) => setTimeout(() => done(JSON.stringify({ ...sessionStorage }))))",
          as: String.self)
        #expect(stored.contains("add"))
        // A browser copies the storage of a tab that it duplicates.
        let second = try await browser.newTab(besides: first)
        try await second.beforeEachPage(
          run: """
            if (location.protocol === "http:" && sessionStorage.length === 0) {
              Object.assign(sessionStorage, JSON.parse(\(stored.script)));
            }
            """)
        try await second.visit(url)
        // The sessions end before the stored action was sent.
        server.endSessions()
        try await first.wait(until: "document.querySelector('#count').textContent === '1'")
        try await second.waitUntilLive()
        try await second.click("#add")
        try await second.wait(until: "document.querySelector('#count').textContent === '1'")
        try await second.waitUntilAnswered()
        #expect(server.applied.all == ["wait", "add 1", "add 1"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `stay marked as sent until slow effects have ended, and do not block others`(
      in kind: BrowserKind
    ) async throws {
      try await withLedger(in: kind, effectTime: .milliseconds(20)) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.click("#wait")
        await until { server.requests.all.contains { $0.status.code == 202 } }
        try await tab.click("#add")
        try await tab.wait(until: "!document.querySelector('#add[aria-busy]')")
        let look = "document.querySelector('#wait').matches('.is-sent[aria-busy]')"
        #expect(try await tab.evaluate(look, as: Bool.self))
        server.gate.open()
        try await tab.waitUntilAnswered()
        #expect(server.applied.all == ["wait", "add 1"])
        #expect(await tab.problems.isEmpty)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `the typed text is sent before the form that is submitted after it`(in kind: BrowserKind)
      async throws
    {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.fill("[name=text]", with: "tea")
        try await tab.press(.enter)
        await server.applied.wait(for: 2)
        #expect(server.applied.all == ["search tea", "save tea"])
        // A page that is left also sends its text. The next page sends text that is still unsent.
        try await tab.fill("[name=text]", with: "milk")
        try await tab.open("about:blank")
        try await tab.goBack()
        await server.applied.wait(for: 3)
        #expect(server.applied.all.last == "search milk")
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `a full storage keeps the typed text and drops the largest action`(in kind: BrowserKind)
      async throws
    {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.click("#wait")
        try await tab.wait(until: "document.querySelector('#wait').matches('.is-sent')")
        try await tab.evaluate("globalThis.large = 'x'.repeat(150_000)")
        try await tab.evaluate(
          """
          (() => {
            const add = document.querySelector("#add");
            add.dataset.action = JSON.stringify({ search: { _0: large } });
            add.click();
            let size = 5_000_000;
            for (let name = 0; size > 2000; name += 1) {
              try { sessionStorage.setItem(`full ${name}`, "x".repeat(size)); } catch { size /= 2; }
            }
          })()
          """)
        try await tab.fill("[name=text]", with: "do not lose this")
        try await tab.setHidden(true)
        let stored = try await tab.evaluate(
          "Object.values(sessionStorage).join().replaceAll('xxxxxxxx', '')", as: String.self)
        #expect(stored.contains("do not lose this"), "\(stored.prefix(400))")
        #expect(stored.contains("wait"))
        try await tab.killAndReload()
        #expect(try await tab.value(of: "[name=text]") == "do not lose this")
      }
    }

    @Test(
      arguments: [("drafts", "[null]"), ("drafts", "7"), ("actions", "[null]")],
      BrowserKind.allCases)
    func `in another format do not keep the page from working`(
      stored: (kind: String, items: String), in kind: BrowserKind
    ) async throws {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.evaluate(
          """
          sessionStorage.setItem("causeway \(stored.kind) /", JSON.stringify({ owner:
            document.querySelector("meta[name=causeway-owner]").content, items: \(stored.items) }))
          """)
        try await tab.killAndReload()
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
        try await tab.waitUntilAnswered()
        #expect(server.applied.all == ["add 1"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `a text that was submitted does not come back after the tab was killed`(
      in kind: BrowserKind
    ) async throws {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.fill("[name=text]", with: "tea")
        try await tab.setHidden(true)
        try await tab.setHidden(false)
        try await tab.waitUntilLive()
        try await tab.click("#always button")
        await server.applied.wait(for: 2)
        try await tab.waitUntilStorage(lacks: "tea")
        try await tab.killAndReload()
        #expect(try await tab.value(of: "[name=text]") == "")
        #expect(server.applied.all == ["search tea", "save tea"])
      }
    }
  }

  @Suite struct `The stream of a page` {
    @Test(arguments: BrowserKind.allCases)
    func `loses a page that was killed`(in kind: BrowserKind) async throws {
      try await withLedger(in: kind) { server, browser, url in
        let killed = try await browser.newTab()
        try await killed.visit(url)
        let tab = try await browser.newTab(besides: killed)
        try await tab.visit(url)
        let streams = { server.requests.all.count { $0.path == "/_causeway/stream" } }
        // The shared worker has opened a stream for both pages.
        await until { streams() == 1 }
        try await killed.evaluate("MessagePort.prototype.postMessage = () => {}")
        try await killed.open("about:blank")
        await until { streams() == 2 }
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `can deliver an event twice`(in kind: BrowserKind) async throws {
      try await withLedger(in: kind) { _, browser, url in
        let tab = try await browser.newTab()
        try await tab.beforeEachPage(
          run: """
            const listen = MessagePort.prototype.addEventListener;
            MessagePort.prototype.addEventListener = function (name, hear) {
              listen.call(this, name, (event) => {
                hear(event);
                if (event.data.blocks) hear(event);
              });
            };
            """)
        try await tab.visit(url)
        for count in 1...3 {
          try await tab.click("#add")
          try await tab.wait(until: "document.querySelector('#count').textContent === '\(count)'")
        }
        let rows = try await tab.evaluate(
          "[...document.querySelectorAll('#rows li')].map((row) => row.textContent).join()")
        #expect(rows == "3,2,1")
        #expect(await tab.problems.isEmpty)
      }
    }
  }
}
