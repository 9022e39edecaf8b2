import CausewayBasics
import Foundation

/// A headless Firefox, driven by WebDriver BiDi over a socket of this machine.
///
/// A shell ends it when its standard input is closed.
struct Firefox: BrowserProcess {
  private let connection: BrowserConnection

  init() async throws {
    let folder = try ProfileFolder.make()
    try Self.preferences.write(
      to: folder.appending(path: "user.js"), atomically: false, encoding: .utf8)
    let process = try ProfileFolder.launch(
      """
      exec 3<&0
      HOME="$PROFILE" "$0" "$@" </dev/null 2>&1 & browser=$!
      { cat <&3; kill $browser; } >/dev/null 2>&1 &
      exec 3<&-
      wait $browser
      rm -rf "$PROFILE"
      """, .firefox, in: folder,
      ["--headless", "--remote-debugging-port=0", "--no-remote", "--profile", folder.path])
    let socket = try await Self.socket(of: process)
    let connection = BrowserConnection(
      .init(
        messages: socket.messages, send: { try socket.send($0) },
        // The process lives as long as the connection.
        errors: { "its output is not kept (process \(process.identifier))" }),
      BiDi())
    self.connection = connection
    Task { await connection.listen() }
    try await connection.command(
      "session.new",
      ["capabilities": ["alwaysMatch": ["unhandledPromptBehavior": ["default": "ignore"]]]])
    try await connection.command(
      "session.subscribe",
      [
        "events": [
          "browsingContext.load", "browsingContext.navigationCommitted",
          "browsingContext.userPromptOpened", "log.entryAdded",
        ]
      ])
  }

  /// Waits for the line in which the browser prints its port.
  private static func socket(of process: ChildProcess) async throws -> WebSocket {
    var output = ""
    for await line in process.lines {
      output += line + "\n"
      guard line.contains("WebDriver BiDi listening on ws://"),
        let port = line.split(separator: ":").last.flatMap({ UInt16($0) })
      else { continue }
      return try WebSocket(port: port, path: "/session")
    }
    throw BrowserError.ended(output: output)
  }

  /// No request to other machines, no first-run pages, and warnings before a page is left.
  private static let preferences = """
    user_pref("app.update.enabled", false);
    user_pref("browser.safebrowsing.malware.enabled", false);
    user_pref("browser.shell.checkDefaultBrowser", false);
    user_pref("browser.startup.page", 0);
    user_pref("datareporting.policy.dataSubmissionEnabled", false);
    user_pref("dom.disable_beforeunload", false);
    user_pref("extensions.update.enabled", false);
    user_pref("focusmanager.testmode", true);
    user_pref("intl.accept_languages", "en");
    user_pref("network.captive-portal-service.enabled", false);
    user_pref("network.connectivity-service.enabled", false);
    user_pref("services.settings.server", "http://127.0.0.1:1");
    user_pref("toolkit.telemetry.enabled", false);

    """

  var hasEnded: Bool { get async { await connection.hasEnded } }

  func makeProfile() async throws -> String {
    let context = try await connection.command("browser.createUserContext")
    guard let id = context["userContext"]?.text else {
      throw BrowserError.refused(command: "browser.createUserContext", message: "no id")
    }
    return id
  }

  func removeProfile(_ id: String) async throws {
    try await connection.command("browser.removeUserContext", ["userContext": .string(id)])
  }

  func newTab(inProfile id: String) async throws -> any TabDriver {
    // A tab of its own window is visible beside others. The new window is active.
    let created = try await connection.input.withLock {
      await connection.note(activeTab: nil)
      return try await connection.command(
        "browsingContext.create", ["type": "window", "userContext": .string(id)])
    }
    guard let context = created["context"]?.text else {
      throw BrowserError.refused(command: "browsingContext.create", message: "no id")
    }
    return FirefoxTab(connection: connection, context: context, profile: id)
  }
}
