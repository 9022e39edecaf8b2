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

    @Test func `of another scope of the same person stay for its page`() async throws {
      try await OfflineLedger.run { ledger in
        ledger.server.shown.append("one")
        let tab = try await ledger.openKept(rows: 1)
        await ledger.stop()
        try await tab.reload()
        try await tab.click("#add")
        try await tab.waitUntilWaiting("add")
        let next = try await ledger.browser.newTab(besides: ledger.close(tab))
        try await ledger.restart()
        ledger.server.shown.append("two")
        try await next.visit(ledger.url)
        try await next.waitUntilKept("\"count\":0")
        #expect(ledger.applied.all == ["add 1"])
        ledger.server.shown.append("one")
        try await next.visit(ledger.url)
        try await next.wait(until: "document.querySelector('#count').textContent === '1'")
      }
    }

    @Test func `are dropped by a page from the back and forward cache if another tab took them`()
      async throws
    {
      try await OfflineLedger.run { ledger in
        let tab = try await ledger.openKept(rows: 1)
        await ledger.stop()
        try await tab.reload()
        try await tab.click("#add")
        try await tab.waitUntilWaiting("add")
        try await tab.evaluate(
          """
          new Promise((done) => {
            globalThis.isSame = true;
            const opening = indexedDB.open("causeway", 1);
            opening.onsuccess = () => {
              const change = opening.result.transaction("queues", "readwrite");
              change.objectStore("queues").openCursor().onsuccess = ({ target }) => {
                target.result.update({ owner: target.result.value.owner, movedAt: Date.now() });
              };
              change.oncomplete = () => { opening.result.close(); done(); };
            };
          })
          """)
        try await tab.evaluate(
          "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })), true")
        try await tab.waitUntilAnswered()
        #expect(try await tab.evaluate("globalThis.isSame === true", as: Bool.self))
        try await ledger.restart()
        try await tab.waitUntilLive()
        #expect(ledger.applied.all == ["add 1"])
      }
    }

    @Test func `are stored as sent before they are sent`() async throws {
      try await OfflineLedger.run { ledger in
        let tab = try await ledger.openKept(rows: 1)
        try await tab.evaluate(
          """
          (() => {
            globalThis.steps = [];
            const [put, send] = [IDBObjectStore.prototype.put, fetch];
            IDBObjectStore.prototype.put = function (value, key) {
              if (value.items?.some(({ isSent }) => isSent)) {
                const { transaction } = this;
                const { oncomplete } = transaction;
                transaction.oncomplete = () => {
                  steps.push("stored");
                  oncomplete();
                };
              }
              return put.call(this, value, key);
            };
            globalThis.fetch = (address, ...rest) => {
              if (address === "/_causeway/action") steps.push("sent");
              return send(address, ...rest);
            };
          })()
          """)
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '2'")
        let steps = try await tab.evaluate("steps.join()", as: String.self)
        #expect(steps.hasPrefix("stored,") && steps.contains("sent"), "\(steps)")
      }
    }

    @Test func `with a password are refused, because they cannot be stored`() async throws {
      try await OfflineLedger.run { ledger in
        let tab = try await ledger.openKept(rows: 1)
        await ledger.stop()
        try await tab.reload()
        try await tab.evaluate(
          #"""
          document.body.insertAdjacentHTML("beforeend", `<form data-forget data-on="submit"
            data-action='{"save":{"words":"$form.secret"}}'>
            <input type="password" name="secret" value="x"><button id="secret">Leave</button></form>`)
          """#)
        try await tab.click("#secret")
        try await tab.waitToRead("This needs a connection.")
        #expect(
          try await tab.evaluate(
            "document.querySelector('#count').textContent", as: String.self) == "1")
      }
    }

    @Test func `have a limit, and end with their time`() async throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/CausewayWeb/PageScript/kept.js")
      let script = try String(contentsOf: file, encoding: .utf8).replacing("export ", with: "")
      try await OfflineLedger.run { ledger in
        let tab = try await ledger.browser.newTab()
        try await tab.visit(ledger.url + "/other")
        let left = try await tab.evaluate(
          """
          (async () => {
            \(script)
            const names = () => open("readonly", (_, queues, done) => {
              queues.getAllKeys().onsuccess = ({ target }) => done(target.result.join());
            });
            const own = { owner: "a.b", path: "/" };
            const store = (key, size) => storeQueue(key, { ...own, items: ["x".repeat(size)] });
            const left = [];
            for (const [key, size] of [["one", 600_000], ["two", 300_000], ["three", 300_000]]) {
              await store(key, size);
            }
            left.push(await names());
            await store("four", 1_000_001);
            left.push(await names());
            await adoptQueues("five", { ...own, items: [] }, Date.now() + 1, () => false);
            left.push(await names());
            return left.join(" ");
          })()
          """, as: String.self)
        #expect(left == "three,two three,two ")
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
          ("/wiki/**", "/wiki", false), ("/wiki/**", "/wiki/", true),
          ("/wiki/**", "/wiki/a/b", true),
          ("/:id", "/", false), ("/:id", "/a", true), ("/a", "/a/b", false), ("/a", "/a/", false),
          ("/a/:b", "/a/c%20d", true), ("/a/:b", "/a/%", false), ("/a b", "/a%20b", true),
        ] {
          #expect(
            try await tab.evaluate(
              """
              (() => {
                \(script)
                return routed([[\(pattern.script), 1]], \(path.script)) === 1;
              })()
              """, as: Bool.self) == isMatch, "\(pattern) \(path)")
        }
      }
    }
  }
}
