import BrowserDriver
import CausewayWeb
import Foundation
import TestSupport
import Testing

/// True in the page that the worker shows in place of a page that is not kept.
private let noConnection = "document.body?.innerText.includes('No connection')"

extension PageTests {
  /// Pages that are loaded while the server does not answer.
  @Suite struct `A page without a connection` {
    @Test(arguments: BrowserKind.allCases)
    func `shows its last state after a reload, and says when that was`(in kind: BrowserKind)
      async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept()
        await ledger.stop()
        try await tab.reload()
        #expect(
          try await tab.evaluate(
            "document.querySelector('#count').textContent", as: String.self) == "2")
        #expect(
          try await tab.evaluate(
            "[...document.querySelectorAll('#rows li')].map((row) => row.textContent).join()",
            as: String.self) == "2,1")
        #expect(try await tab.connectionText.hasPrefix("Offline, as of "))
        // The style sheet is kept too, and the page has no name of a session.
        #expect(
          try await tab.evaluate(
            "getComputedStyle(document.querySelector('h1')).color", as: String.self)
            == "rgb(1, 2, 3)")
        #expect(
          try await tab.evaluate(
            "document.querySelector('meta[name=causeway-session]').content", as: String.self)
            == "")
        try await ledger.restart()
        try await tab.waitUntilLive()
        // The state of this page is lost with the server.
        try await tab.wait(until: "document.querySelector('#count').textContent === '0'")
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `keeps an action over another reload, and sends it once to a new session`(
      in kind: BrowserKind
    ) async throws {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept()
        await ledger.stop()
        try await tab.reload()
        try await tab.click("#add")
        try await tab.waitToSee("#add.is-queued")
        try await tab.reload()
        try await ledger.restart()
        try await tab.waitUntilLive()
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '2'")
        try await tab.waitUntilAnswered()
        #expect(ledger.applied.all == ["add 1", "add 1", "add 1", "add 1"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `sends the waiting actions of a tab that was closed, once`(in kind: BrowserKind)
      async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept()
        await ledger.stop()
        try await tab.reload()
        try await tab.click("#add")
        try await tab.waitUntilWaiting("add")
        let next = try await ledger.browser.newTab(besides: ledger.close(tab))
        try await next.open(ledger.url)
        try await ledger.restart()
        try await next.waitUntilLive()
        try await next.wait(until: "document.querySelector('#count').textContent === '1'")
        try await next.click("#add")
        try await next.waitUntilAnswered()
        #expect(ledger.applied.all.count == 2 + 1 + 1)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `says that an action with a lost answer is uncertain, and does not send it twice`(
      in kind: BrowserKind
    ) async throws {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept(rows: 1)
        try await tab.loseAnswers()
        try await tab.click("#add")
        await ledger.applied.wait(for: 2)
        await ledger.stop()
        try await tab.reload()
        try await ledger.restart()
        try await tab.waitToRead("please check what you did")
        #expect(ledger.applied.all == ["add 1", "add 1"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `keeps neither hidden values nor pages that were left out`(in kind: BrowserKind)
      async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.browser.newTab()
        try await tab.visit(ledger.url + "/other")
        try await tab.visit(ledger.url)
        try await tab.fill("#always [name=text]", with: "a secret")
        try await tab.click("#always button")
        await ledger.applied.wait(for: 2)
        try await tab.click("#add")
        try await tab.waitUntilKept("\"count\":1")
        #expect(try await tab.evaluate(Tab.keptTexts, as: String.self).contains("secret") == false)
        await ledger.stop()
        try await tab.open(ledger.url + "/other")
        try await tab.wait(until: noConnection)
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `shows a kept state while the server fails, and then goes on`(in kind: BrowserKind)
      async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept()
        ledger.server.failures.append(true)
        try await tab.reload()
        #expect(try await tab.connectionText.hasPrefix("Offline, as of "))
        #expect(
          try await tab.evaluate(
            "document.querySelector('#count').textContent", as: String.self) == "2")
        ledger.server.failures.append(false)
        try await tab.waitUntilLive()
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `shows a kept state while the server does not answer`(in kind: BrowserKind) async throws {
      try await OfflineLedger.run(in: kind) { ledger in
        let port = try #require(ledger.url.split(separator: ":").last.flatMap { UInt16($0) })
        let proxy = try FaultyProxy(to: port)
        let tab = try await ledger.openKept(at: proxy.url)
        proxy.change { $0.isSilent = true }
        proxy.breakConnections()
        try await tab.reload()
        #expect(try await tab.connectionText.hasPrefix("Offline, as of "))
        proxy.change { $0.isSilent = false }
        proxy.breakConnections()
        try await tab.waitUntilLive()
        proxy.stop()
      }
    }
  }

  /// A proxy that answers in place of the server.
  @Suite struct `A page behind a proxy without a server` {
    @Test(arguments: BrowserKind.allCases)
    func `shows the sentence of this library, also if it is not kept`(in kind: BrowserKind)
      async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
        let port = try #require(ledger.url.split(separator: ":").last.flatMap { UInt16($0) })
        let proxy = try FaultyProxy(to: port)
        let tab = try await ledger.openKept(at: proxy.url)
        for status in [502, 503, 504] {
          proxy.change { $0.failure = status }
          proxy.breakConnections()
          for path in ["/other", "/ledgers/7?page=2"] {
            try await tab.open(proxy.url + path)
            try await tab.wait(until: noConnection)
            #expect(
              try await tab.evaluate("document.body.innerText.includes('proxy')", as: Bool.self)
                == false)
            #expect(try await tab.evaluate("!!document.querySelector('main')", as: Bool.self))
          }
          try await tab.open(proxy.url)
          #expect(try await tab.connectionText.hasPrefix("Offline, as of "))
        }
        proxy.change { $0.failure = nil }
        proxy.breakConnections()
        try await tab.waitUntilLive()
        proxy.stop()
      }
    }
  }

  /// The states that the browser keeps, when another person could see them.
  @Suite struct `A kept state` {
    @Test(arguments: BrowserKind.allCases)
    func `is removed when a person leaves, also without a server`(in kind: BrowserKind) async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept()
        await ledger.stop()
        try await tab.reload()
        try await tab.evaluate("document.querySelector('#edit').dataset.forget = ''")
        // Another tab of the browser shows the kept state too.
        let second = try await ledger.browser.newTab(besides: tab)
        try await second.open(ledger.url)
        try await second.click("#add")
        try await second.waitUntilWaiting("add")
        try await tab.click("#edit")
        for tab in [tab, second] {
          try await tab.wait(until: noConnection)
          #expect(
            try await tab.evaluate("document.body.innerText.includes('2')", as: Bool.self) == false)
        }
        // When the server is back, only this action is sent.
        try await ledger.restart()
        for tab in [tab, second] { try await tab.visit(ledger.url) }
        try await tab.waitToSee("#editor")
        #expect(ledger.applied.all == ["add 1", "add 1"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `of one account is never shown to another account`(in kind: BrowserKind) async throws {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept()
        // A second tab of the browser shows the change too.
        let second = try await ledger.browser.newTab(besides: tab)
        try await second.visit(ledger.url)
        ledger.server.signIn("bob")
        try await tab.wait(until: "document.querySelector('#count').textContent === '0'")
        try await tab.waitUntilLive()
        try await tab.waitUntilKept("\"count\":0")
        #expect(
          try await tab.evaluate(Tab.keptTexts, as: String.self).contains("\\\"count\\\":2")
            == false)
        await ledger.stop()
        for tab in [tab, second] {
          try await tab.reload()
          #expect(
            try await tab.evaluate(
              "document.querySelector('#count').textContent", as: String.self) == "0")
        }
        // If the second tab connected first, it would make the first tab load its page again.
        try await second.close()
        // Bob's queued action must not run as Ana, who is signed in when the server is back.
        try await tab.click("#add")
        try await ledger.restart()
        try await tab.waitToRead("what was not sent is dropped")
        #expect(ledger.applied.all == ["add 1", "add 1"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `is removed by a route that changes the identity of the browser`(in kind: BrowserKind)
      async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept()
        try await tab.evaluate(
          """
          (() => {
            const form = document.createElement("form");
            Object.assign(form, { method: "post", action: "/leave" });
            document.body.append(form);
            form.submit();
          })()
          """)
        // No script of the server runs in this answer.
        try await tab.waitToRead("You have left.")
        try await tab.waitUntilNothingIsKept()
        await ledger.stop()
        // The browser has removed the worker too.
        await #expect(throws: BrowserError.self) { try await tab.open(ledger.url) }
      }
    }

    // Only Chromium tells which frames have failed.
    @Test func `is not shown in a frame of another site`() async throws {
      try await OfflineLedger.run(in: .chromium) { ledger in
        _ = try await ledger.openKept()
        let other = try LedgerServer(
          page: Ledger.page.replacing(
            "<body>", with: "<body><iframe src=\"\(ledger.url)\"></iframe>"))
        let address = try await other.start()
        await ledger.stop()
        let tab = try await ledger.browser.newTab()
        try await tab.open(address)
        #expect(try await tab.failedFrames == 1)
        await #expect(throws: BrowserError.self) {
          try await tab.evaluate("fetch(\(ledger.url.script), { mode: 'no-cors' })")
        }
        await other.stop()
      }
    }
  }

  /// The worker, when the host changes.
  @Suite struct `The worker of a page` {
    @Test(arguments: BrowserKind.allCases)
    func `is replaced with the page by a new version, and the waiting actions are sent`(
      in kind: BrowserKind
    ) async throws {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept()
        await ledger.stop()
        try await tab.reload()
        try await tab.click("#add")
        try await ledger.restart(
          page: Ledger.page.replacing("<h1>Ledger</h1>", with: "<h1>Second version</h1>"))
        // The page loads its new version by itself.
        try await tab.wait(until: "document.querySelector('h1')?.textContent === 'Second version'")
        try await tab.waitUntilLive()
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
        #expect(ledger.applied.all == ["add 1", "add 1", "add 1"])
        try await tab.waitUntilKept("\"count\":1")
        try await tab.evaluate(
          """
          (async () => {
            const worker = await (await fetch("/_causeway/service.js")).text();
            const name = `causeway ${worker.match(/"build":"([^"]+)"/)[1]}`;
            const frame = () => new Promise((done) => requestAnimationFrame(done));
            while ((await caches.keys()).join() !== name) await frame();
            while ((await navigator.serviceWorker.ready).active.state !== "activated") await frame();
          })()
          """)
        await ledger.stop()
        try await tab.reload()
        #expect(
          try await tab.evaluate("document.querySelector('h1').textContent", as: String.self)
            == "Second version")
        #expect(
          try await tab.evaluate(
            "document.querySelector('#count').textContent", as: String.self) == "1")
      }
    }

    @Test(arguments: [true, false], BrowserKind.allCases)
    func `removes itself when the option is off`(byAddress: Bool, in kind: BrowserKind) async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept()
        if byAddress {
          try await tab.visit(ledger.url + "/?noworker")
        } else {
          await ledger.stop()
          try await ledger.restart(offline: nil)
          try await tab.visit(ledger.url)
        }
        try await tab.evaluate(
          """
          (async () => {
            while ((await navigator.serviceWorker.getRegistrations()).length > 0
              || (await caches.keys()).length > 0 || await \(Tab.keptTexts) !== "[]") {
              await new Promise((done) => requestAnimationFrame(done));
            }
          })()
          """)
        #expect(await tab.problems.filter { $0.source != "network" } == [])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `changes nothing else if the browser allows no storage`(in kind: BrowserKind) async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.browser.newTab()
        try await tab.beforeEachPage(
          run: """
            // The empty page of a new tab has no workers in Firefox.
            if (location.protocol === "http:") {
              IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); };
              ServiceWorkerContainer.prototype.register = () => Promise.reject(new Error("no"));
            }
            """)
        try await tab.visit(ledger.url)
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
        try await tab.setHidden(true)
        try await tab.setHidden(false)
        try await tab.reload()
        try await tab.waitUntilLive()
        let problems = await tab.problems.filter { $0.source != "network" }
        #expect(problems == [], "\(problems)")
      }
    }
  }
}
