import BrowserDriver
import CausewayWeb
import Foundation
import TestSupport
import Testing

extension PageTests {
  /// Actions that wait without a connection, when their tab is closed.
  @Suite struct `Actions that wait on this device` {
    @Test(arguments: BrowserKind.allCases)
    func `are taken over by a page at the same address only`(in kind: BrowserKind) async throws {
      try await OfflineLedger.run(in: kind) { ledger in
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

    @Test(arguments: BrowserKind.allCases)
    func `are all sent, also if two tabs have numbered them alike`(in kind: BrowserKind)
      async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
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

    @Test(arguments: BrowserKind.allCases)
    func `of another scope of the same person stay for its page`(in kind: BrowserKind) async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
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

    @Test(arguments: BrowserKind.allCases)
    func `are dropped by a page from the back and forward cache if another tab took them`(
      in kind: BrowserKind
    ) async throws {
      try await OfflineLedger.run(in: kind) { ledger in
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

    @Test(arguments: BrowserKind.allCases)
    func `are stored as sent before they are sent`(in kind: BrowserKind) async throws {
      try await OfflineLedger.run(in: kind) { ledger in
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

    @Test(arguments: BrowserKind.allCases)
    func `with a password are refused, because they cannot be stored`(in kind: BrowserKind)
      async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
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
  }
}
