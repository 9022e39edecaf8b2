import BrowserDriver
import CausewayWeb
import Foundation
import TestSupport

/// A server of ledgers that can be stopped and started again at its address, and a browser.
final class OfflineLedger {
  let browser: Browser
  /// The actions that all runs of the server have applied.
  let applied = Log<String>()
  let url: String
  private(set) var server: LedgerServer
  private let port: ReservedPort

  static let options = OfflinePages(
    name: "Ledger", icons: ["/icon.svg"], themeColor: "#123456", backgroundColor: "#fff",
    pages: ["/", "/ledgers/:id"], hiding: ["words"])

  private init(_ browser: Browser) async throws {
    self.browser = browser
    port = try ReservedPort()
    server = try LedgerServer(port: port.number, applied: applied, offline: Self.options)
    url = try await server.start()
  }

  func stop() async { await server.stop() }

  func restart(
    page: String = Ledger.page, offline: OfflinePages? = options, refusal: HTTPStatus? = nil
  ) async throws {
    server = try LedgerServer(port: port.number, applied: applied, page: page, offline: offline)
    if let refusal { server.refusals.append(refusal) }
    _ = try await server.start()
  }

  /// Opens the page, adds rows, and waits until the browser has kept them.
  func openKept(rows: Int = 2, at address: String? = nil) async throws -> Tab {
    let tab = try await browser.newTab()
    try await tab.visit(address ?? url)
    for row in 1...rows {
      try await tab.click("#add")
      try await tab.wait(until: "document.querySelector('#count').textContent === '\(row)'")
    }
    try await tab.waitUntilKept("\"count\":\(rows)")
    return tab
  }

  /// Closes a tab, and waits until the browser has released the tab's lock.
  ///
  /// - Returns: A tab whose page is not kept, so it has no script that could take an action.
  func close(_ tab: Tab) async throws -> Tab {
    let id = try await tab.evaluate("sessionStorage.getItem('causeway tab')", as: String.self)
    let observer = try await browser.newTab(besides: tab)
    try await observer.open(url + "/other")
    try await tab.close()
    try await observer.evaluate(
      """
      (async () => {
        const isOpen = async () => (await navigator.locks.query()).held
          .some(({ name }) => name.includes(\(id.script)));
        while (await isOpen()) await new Promise((done) => requestAnimationFrame(done));
      })()
      """)
    return observer
  }

  static func run(
    in kind: BrowserKind, _ body: (OfflineLedger) async throws -> Void
  ) async throws {
    try await withBrowser(kind) { browser in
      let ledger = try await OfflineLedger(browser)
      do {
        try await body(ledger)
      } catch {
        await ledger.stop()
        throw error
      }
      await ledger.stop()
    }
  }
}

extension Tab {
  /// All texts that the browser keeps for the pages of the origin, except page files.
  static let keptTexts = stored("kept")

  private static func stored(_ store: String) -> String {
    """
    new Promise((done) => {
      const opening = indexedDB.open("causeway", 1);
      opening.onupgradeneeded = () => {
        for (const name of ["kept", "queues"]) opening.result.createObjectStore(name);
      };
      opening.onsuccess = () => {
        const reading = opening.result.transaction("\(store)").objectStore("\(store)").getAll();
        reading.onsuccess = () => {
          done(JSON.stringify(reading.result));
          opening.result.close();
        };
      };
    })
    """
  }

  /// Waits until the browser has a worker, and keeps a text of the page's state.
  ///
  /// A page gets no event when its storage changes, so this looks in each frame.
  func waitUntilKept(_ text: String) async throws {
    try await evaluate(
      """
      (async () => {
        const { active } = await navigator.serviceWorker.ready;
        while (active.state !== "activated") {
          await new Promise((done) => requestAnimationFrame(done));
        }
        for (;;) {
          const kept = await \(Self.keptTexts);
          if (JSON.parse(kept).some((one) => one.includes?.(\(text.script)))) return;
          await new Promise((done) => requestAnimationFrame(done));
        }
      })()
      """)
  }

  /// Waits until the browser has stored a waiting action in IndexedDB, which outlives the tab.
  func waitUntilWaiting(_ text: String) async throws {
    try await evaluate(
      """
      (async () => {
        while (!(await \(Self.stored("queues"))).includes(\(text.script))) {
          await new Promise((done) => requestAnimationFrame(done));
        }
      })()
      """)
  }

  /// Waits until the browser keeps no state with a text, or nothing at all.
  func waitUntilNothingIsKept(of text: String? = nil) async throws {
    let isKept =
      text.map { "kept.some((one) => one.includes?.(\($0.script)))" } ?? "kept.length > 0"
    try await evaluate(
      """
      (async () => {
        for (let kept; ;) {
          kept = JSON.parse(await \(Self.keptTexts));
          if (!(\(isKept))) return;
          await new Promise((done) => requestAnimationFrame(done));
        }
      })()
      """)
  }

  /// The text that says whether the page is connected.
  var connectionText: String {
    get async throws {
      try await evaluate(
        "document.querySelector('[data-connection-text]').textContent", as: String.self)
    }
  }
}
