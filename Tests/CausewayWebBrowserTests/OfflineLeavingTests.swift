import BrowserDriver
import CausewayWeb
import TestSupport
import Testing

extension PageTests {
  /// Kept states that a person may not see any more.
  @Suite struct `A kept state that ends` {
    @Test(arguments: BrowserKind.allCases)
    func `is not left in a hidden tab when another person signs in`(in kind: BrowserKind)
      async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept()
        let second = try await ledger.browser.newTab(besides: tab)
        try await second.visit(ledger.url)
        try await second.evaluate("globalThis.isOld = true")
        // A hidden page does not connect, so the server cannot notify the page.
        try await second.setHidden(true)
        ledger.server.signIn("bob")
        try await second.wait(until: "document.body.style.display === 'none'")
        try await second.setHidden(false)
        try await second.wait(until: "globalThis.isOld === undefined")
        try await second.waitUntilLive()
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `is removed if its page is refused, and all are removed if the person is unknown`(
      in kind: BrowserKind
    ) async throws {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept()
        try await tab.visit(ledger.url + "/ledgers/1")
        try await tab.waitUntilPagesAreKept("/,/ledgers/1")
        for status in [HTTPStatus.forbidden, .notFound] {
          ledger.server.refusals.append(status)
          try await tab.open(ledger.url + "/ledgers/1")
          try await tab.waitUntilPagesAreKept("/")
        }
        ledger.server.refusals.append(.unauthorized)
        try await tab.open(ledger.url + "/ledgers/1")
        try await tab.waitUntilNothingIsKept()
      }
    }

    @Test(arguments: BrowserKind.allCases)
    func `is replaced by the answer of the server in an open page`(in kind: BrowserKind)
      async throws
    {
      try await OfflineLedger.run(in: kind) { ledger in
        let tab = try await ledger.openKept()
        await ledger.stop()
        try await tab.reload()
        try await ledger.restart(refusal: .notFound)
        try await tab.wait(until: "document.querySelector('#count') === null")
        try await tab.waitUntilNothingIsKept(of: "\"count\":2")
      }
    }
  }
}

extension Tab {
  /// Waits until the browser keeps the states of exactly these paths, in their order.
  fileprivate func waitUntilPagesAreKept(_ paths: String) async throws {
    try await evaluate(
      """
      (async () => {
        const paths = async () => JSON.parse(await \(Self.keptTexts))
          .flatMap(({ pages }) => pages ?? []).map(({ path }) => path).sort().join();
        while (await paths() !== \(paths.script)) {
          await new Promise((done) => requestAnimationFrame(done));
        }
      })()
      """)
  }
}
