import BrowserDriver
import Causeway
import CausewayWeb
import Foundation
import TestSupport
import Testing

/// All tests that start browsers.
///
/// They run one after the other.
@Suite(.serialized, .timeLimit(.minutes(5))) enum PageTests {}

/// A page that writes each applied action into a log that outlives its session.
struct Ledger: Interactor {
  struct Row: Encodable, Equatable, Identifiable, Sendable {
    var id: Int
  }

  struct Editor: Encodable, Equatable, Sendable {}

  struct State: Encodable, Equatable, Sendable {
    var count = 0
    var words: [String] = []
    var rows: [Row] = []
    var editor: Editor?
    var file: String?
  }

  enum Action: Codable, Sendable {
    case add(Int)
    case search(String)
    case edit
    case save(words: String)
    case wait
    case attach(String)
  }

  let applied: Log<String>
  var gate = Gate()

  var body: some InteractorOf<Self> {
    Interact(initialValue: State()) { state, action in
      switch action {
      case .add(let number):
        applied.append("add \(number)")
        state.count += 1
        state.rows.insert(Row(id: state.count), at: 0)
      case .search(let words): applied.append("search \(words)")
      case .edit: state.editor = Editor()
      case .save(let words):
        applied.append("save \(words)")
        state.words.append(words)
        state.editor = nil
      case .wait:
        applied.append("wait")
        let gate = gate
        return .perform { _ in await gate.wait() }
      case .attach(let file): state.file = file
      }
      return .state
    }
  }

  nonisolated static let page = """
    <!doctype html><html lang="en"><head><title>Ledger</title><link rel="icon" href="data:,">
    <link rel="stylesheet" href="/ledger.css">
    <meta name="viewport" content="width=device-width"><!-- causeway --></head><body>
    <h1>Ledger</h1><p data-connection-text></p><p role="alert" data-problem hidden></p>
    <p id="count" data-text="count"></p>
    <ol id="rows" data-each="rows" data-key="id"><template><li data-text="item.id"></li></template></ol>
    <button id="wait" data-on="click" data-action='{"wait":{}}'>Wait</button>
    <button id="add" data-on="click" data-action='{"add":{"_0":1}}'>Add</button>
    <button id="edit" data-on="click" data-action='{"edit":{}}'>Edit</button>
    <div data-with="editor"><template>
      <form id="editor" data-draft='{"edit":{}}' data-on="submit"
        data-action='{"save":{"words":"$form.words"}}'><input name="words"><button>Save</button></form>
    </template></div>
    <form id="always" data-draft="" data-reset data-on="submit"
      data-action='{"save":{"words":"$form.text"}}'>
      <input name="text" data-on="input" data-debounce="60000"
        data-action='{"search":{"_0":"$value"}}'><button>Save</button></form>
    <input type="file" data-on="change" data-upload="/files" data-action='{"attach":{"_0":"$upload.id"}}'>
    <progress data-upload-progress hidden></progress><p id="file" data-text="file?"></p>
    <a id="other" href="/other">Other page</a>
    </body></html>
    """
}

/// A server of ledgers, and the log of the actions that all its sessions have applied.
final class LedgerServer: Sendable {
  let applied: Log<String>
  let gate = Gate()
  let requests = Log<AccessRecord>()
  /// The groups that new pages have shown; the last one is the current group.
  let shown = Log<String>()
  /// The accounts that have used the browser; the last one is the current account.
  let accounts = Log<String>()
  /// The identities of the browsers that have opened pages.
  let browsers = Log<String>()
  /// Whether new pages are refused as by a server in trouble; the last value counts.
  let failures = Log<Bool>()
  /// The statuses with which pages were refused; the last one counts.
  let refusals = Log<HTTPStatus>()
  private let server: WebServer

  init(
    port: UInt16 = 0, applied: Log<String> = Log(), shared: SharedState? = nil,
    effectTime: Duration = .seconds(10), page: String = Ledger.page, offline: OfflinePages? = nil,
    heartbeat: Duration = .seconds(8)
  ) throws {
    self.applied = applied
    accounts.append("ana")
    var configuration = WebServerConfiguration(port: port)
    configuration.limits.effectTime = effectTime
    configuration.limits.actionsPerSecond = 1_000
    configuration.limits.actionBurst = 1_000
    configuration.cookieKey = Array(0..<32)
    configuration.offline = offline
    configuration.heartbeat = heartbeat
    let requests = requests
    configuration.logAccess = { requests.append($0) }
    server = WebServer(configuration: configuration)
    let template = try PageTemplate(page)
    let gate = gate
    for pattern in ["/", "/other", "/ledgers/:id"] {
      server.page(
        pattern, template,
        answering: { if case .wait = $0 { .afterEffects } else { .atOnce } },
        sharing: { _ in shared }
      ) {
        [shown, accounts, browsers, failures, refusals] session -> ViewModel<
          Ledger.State, Ledger.Action
        > in
        if failures.all.last == true {
          throw Problem(.serviceUnavailable, code: "trouble", detail: "")
        }
        if let status = refusals.all.last { throw Problem(status, code: "refused", detail: "") }
        browsers.append(session.browser)
        session.account = accounts.all.last
        session.scope = shown.all.last
        return ViewModel(Ledger(applied: applied, gate: gate))
      }
    }
    server.asset("/ledger.css", Array("h1 { color: rgb(1, 2, 3) }".utf8))
    server.asset("/icon.svg", Array(#"<svg xmlns="http://www.w3.org/2000/svg"/>"#.utf8))
    server.post("/leave") { [weak server] request in
      var response = Response.text("You have left.")
      try server?.renewBrowser(of: request, in: &response)
      return response
    }
    server.post("/files", bodyLimit: 16 << 20, access: .sessions) { request in
      try .json(["id": "\(request.body.count) bytes"])
    }
  }

  func start() async throws -> String { try await server.start().url }

  /// Shows another group on all pages.
  func show(_ group: String) {
    shown.append(group)
    server.endSessions(ofAccount: "ana")
  }

  /// Signs another account in; all pages start again with it.
  func signIn(_ account: String) {
    accounts.append(account)
    server.endSessions()
  }

  /// Ends the sessions of all pages, which then start new ones.
  func endSessions() { server.endSessions(ofAccount: "ana") }

  func stop() async {
    gate.open()
    await server.stop(deadline: .zero)
  }
}

/// Starts a server and a browser, and stops both after the body.
func withLedger(
  in kind: BrowserKind, effectTime: Duration = .seconds(10),
  _ body: (LedgerServer, Browser, String) async throws -> Void
) async throws {
  let server = try LedgerServer(effectTime: effectTime)
  let url = try await server.start()
  do {
    try await withBrowser(kind) { try await body(server, $0, url) }
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

extension Tab {
  func waitUntilLive() async throws {
    try await wait(until: "document.documentElement?.dataset.connection === 'online'")
  }

  /// Opens a page and waits for its stream.
  func visit(_ url: String) async throws {
    try await open(url)
    try await waitUntilLive()
  }

  /// Lets each action arrive and loses its answer, until the page calls `restore()`.
  func loseAnswers() async throws {
    try await evaluate(
      """
      (() => {
        const own = fetch;
        globalThis.fetch = async (address, ...rest) => {
          const response = await own(address, ...rest);
          if (address === "/_causeway/action") throw new Error("lost");
          return response;
        };
        globalThis.restore = () => { globalThis.fetch = own; };
      })()
      """)
  }

  /// Waits until all actions have an answer.
  func waitUntilAnswered() async throws {
    try await wait(until: "!document.querySelector('[aria-busy]')")
  }

  /// Waits until the tab's storage contains no such text.
  ///
  /// A page gets no event when it changes its own storage, so this looks in each frame.
  func waitUntilStorage(lacks text: String) async throws {
    try await evaluate(
      """
      new Promise((done) => {
        const look = () => (JSON.stringify({ ...sessionStorage }).includes(\(text.script))
          ? requestAnimationFrame(look) : done());
        look();
      })
      """)
  }

  /// Makes the page behave as if it were hidden.
  ///
  /// A headless browser shows all its tabs.
  func setHidden(_ isHidden: Bool) async throws {
    _ = try await evaluate(
      """
      (() => {
        Object.defineProperty(document, "hidden", { value: \(isHidden), configurable: true });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      })()
      """)
  }

  /// Reloads the page as if its process had been killed: the page cannot store anything first.
  func killAndReload() async throws {
    try await evaluate("Storage.prototype.setItem = Storage.prototype.removeItem = () => {}")
    try await reload()
    try await waitUntilLive()
  }
}
