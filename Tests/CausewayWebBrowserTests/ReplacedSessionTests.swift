import BrowserDriver
import TestSupport
import Testing

extension PageTests {
  /// Typed text and unsent actions of a page whose session was replaced.
  @Suite struct `A replaced session` {
    /// Stores actions of an earlier page whose session has ended.
    private func store(_ items: String, in tab: Tab) async throws {
      try await tab.evaluate(
        """
        (() => {
          const owner = document.querySelector("meta[name=causeway-owner]").content;
          const session = "0".repeat(32);
          const items = \(items).map((item) => ({ lane: "", number: 1, session, ...item }));
          sessionStorage.setItem("causeway actions /", JSON.stringify({ owner, items }));
        })()
        """)
    }

    @Test(arguments: BrowserKind.allCases)
    func `gets the actions of an earlier page before its own actions`(in kind: BrowserKind)
      async throws
    {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.click("#edit")
        try await tab.fill("[name=words]", with: "half a text")
        try await tab.setHidden(true)
        try await store(#"[{ text: '{"add":{"_0":1}}' }]"#, in: tab)
        // The next page also sends the action that opens the form.
        try await tab.killAndReload()
        try await tab.wait(
          until: "document.querySelector('[name=words]')?.value === 'half a text'")
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '2'")
        #expect(server.applied.all == ["add 1", "add 1"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `gets no action that the old session may have applied`(in kind: BrowserKind) async throws {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        // Each action arrives, but its answer is lost.
        try await tab.loseAnswers()
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
        server.endSessions()
        try await tab.waitToRead("please check what you did")
        try await tab.evaluate("restore()")
        try await tab.waitUntilLive()
        try await tab.click("#add")
        try await tab.waitUntilAnswered()
        #expect(server.applied.all == ["add 1", "add 1"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `of another group gets neither actions nor text`(in kind: BrowserKind) async throws {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.fill("[name=text]", with: "for the first group")
        // The action cannot be sent before the session ends.
        try await tab.evaluate(
          """
          (() => {
            const own = fetch;
            globalThis.fetch = (address, ...rest) => (address === "/_causeway/action"
              ? Promise.reject(new Error("offline")) : own(address, ...rest));
            globalThis.restore = () => { globalThis.fetch = own; };
          })()
          """)
        try await store(#"[{ text: '{"add":{"_0":5}}' }]"#, in: tab)
        try await tab.evaluate("document.querySelector('#add').click()")
        server.show("second")
        try await tab.wait(until: "!document.querySelector('[data-problem]').hidden")
        try await tab.evaluate("restore()")
        #expect(try await tab.value(of: "[name=text]") == "")
        try await tab.waitUntilLive()
        try await tab.click("#edit")
        try await tab.wait(until: "document.querySelector('[name=words]')")
        #expect(server.applied.all == [])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `of another group refuses what an earlier page has stored`(in kind: BrowserKind)
      async throws
    {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.fill("[name=text]", with: "for the first group")
        try await tab.setHidden(true)
        try await store(#"[{ text: '{"add":{"_0":5}}' }]"#, in: tab)
        server.shown.append("second")
        try await tab.killAndReload()
        #expect(try await tab.value(of: "[name=text]") == "")
        try await tab.waitToRead("what was not sent is dropped")
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
        #expect(server.applied.all == ["add 1"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `text that was typed after a submit is stored, and no older text replaces it`(
      in kind: BrowserKind
    ) async throws {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.visit(url)
        try await tab.click("#wait")
        try await tab.wait(until: "document.querySelector('#wait').matches('.is-sent')")
        try await tab.fill("[name=text]", with: "tea")
        try await tab.press(.enter)
        try await tab.fill("[name=text]", with: "milk")
        try await tab.setHidden(true)
        try await tab.killAndReload()
        #expect(try await tab.value(of: "[name=text]") == "milk")
        try await store(
          #"""
          [{ text: '{"save":{"words":"old"}}', isSent: true, draft: [
            ` ${document.querySelector("#always").dataset.action}`,
            { opening: "", values: [["text", "old", "old"]] }] }]
          """#, in: tab)
        // The storage still has "milk".
        try await tab.killAndReload()
        try await tab.waitToRead("please check what you did")
        #expect(try await tab.value(of: "[name=text]") == "milk")
        server.gate.open()
      }
    }
  }

  @Suite struct `A queued action` {
    @Test(arguments: BrowserKind.allCases)
    func `is sent by a page that has paused in the background`(in kind: BrowserKind) async throws {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        // The page pauses two seconds after it was hidden, and a short time after its stream ends.
        try await tab.beforeEachPage(
          run: """
            const wait = setTimeout;
            globalThis.setTimeout = (run, time, ...rest) =>
              wait(run, time <= 2000 ? 0 : time, ...rest);
            """)
        try await tab.visit(url)
        try await tab.setHidden(true)
        try await tab.evaluate(
          """
          (async () => {
            for (let round = 0; round < 20; round += 1) {
              await new Promise((done) => setTimeout(done, 0));
            }
          })()
          """)
        try await tab.evaluate("document.querySelector('#add').click()")
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
        #expect(server.applied.all == ["add 1"])
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `waits a second when a proxy answers with a date`(in kind: BrowserKind) async throws {
      try await withLedger(in: kind) { server, browser, url in
        let tab = try await browser.newTab()
        try await tab.beforeEachPage(
          run: """
            globalThis.times = [];
            const [send, wait] = [fetch, setTimeout];
            globalThis.setTimeout = (run, time, ...rest) => {
              times.push(time);
              return wait(run, time, ...rest);
            };
            globalThis.fetch = (address, ...rest) => {
              if (address !== "/_causeway/action" || globalThis.isBusy) return send(address, ...rest);
              globalThis.isBusy = true;
              const headers = { "Retry-After": "Sun, 22 Nov 2026 12:00:00 GMT" };
              return Promise.resolve(new Response("{}", { status: 503, headers }));
            };
            """)
        try await tab.visit(url)
        try await tab.click("#add")
        try await tab.wait(until: "document.querySelector('#count').textContent === '1'")
        #expect(try await tab.evaluate("!times.some(Number.isNaN)", as: Bool.self))
        #expect(try await tab.evaluate("times.includes(1000)", as: Bool.self))
      }
    }
  }
}
