import Foundation

/// A headless Chromium, driven over its debugging pipe.
///
/// The protocol runs over file descriptors 3 and 4, so no port is opened and no other process can
/// reach the browser. It ends when the pipe is closed.
struct Chromium: BrowserProcess {
  private let connection: BrowserConnection

  init() async throws {
    let folder = try ProfileFolder.make()
    var flags = [
      "--headless=new", "--remote-debugging-pipe", "--user-data-dir=\(folder.path)",
      "--no-first-run", "--no-default-browser-check", "--disable-gpu", "--disable-dev-shm-usage",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--disable-extensions", "--disable-default-apps", "--metrics-recording-only", "--mute-audio",
      "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
      "--disable-backgrounding-occluded-windows", "--hide-scrollbars", "--lang=en",
      "--force-color-profile=srgb", "about:blank",
    ]
    // Chromium does not run as root inside its sandbox. For other users the sandbox stays on.
    if getuid() == 0 { flags.insert("--no-sandbox", at: 0) }
    // Foundation can pass only descriptors 0 to 2 to a child, so a shell moves two of them up.
    let process = try ProfileFolder.launch(
      #""$0" "$@" 3<&0 4>&1 </dev/null >/dev/null; rm -rf "$PROFILE""#, .chromium, in: folder,
      flags)
    let connection = BrowserConnection(
      .init(
        messages: Self.messages(of: process),
        send: { try process.input.write(contentsOf: $0 + [0]) }, errors: { process.errors }),
      DevTools())
    self.connection = connection
    Task { await connection.listen() }
    try await connection.command("Browser.getVersion")
  }

  /// The messages of the pipe, each of which ends with a zero.
  private static func messages(of process: ChildProcess) -> AsyncStream<Data> {
    let (messages, continuation) = AsyncStream.makeStream(of: Data.self)
    Task {
      var rest = Data()
      for await piece in process.output {
        var parts = piece.split(separator: 0, omittingEmptySubsequences: false)
        rest.append(parts.removeFirst())
        for part in parts {
          continuation.yield(rest)
          rest = Data(part)
        }
      }
      continuation.finish()
    }
    return messages
  }

  var hasEnded: Bool { get async { await connection.hasEnded } }

  func makeProfile() async throws -> String {
    let context = try await connection.command("Target.createBrowserContext")
    guard let id = context["browserContextId"]?.text else {
      throw BrowserError.refused(command: "Target.createBrowserContext", message: "no id")
    }
    return id
  }

  func removeProfile(_ id: String) async throws {
    try await connection.command(
      "Target.disposeBrowserContext", ["browserContextId": .string(id)])
  }

  func newTab(inProfile id: String) async throws -> any TabDriver {
    let target = try await connection.command(
      "Target.createTarget",
      ["url": "about:blank", "newWindow": true, "browserContextId": .string(id)])
    guard let name = target["targetId"] else {
      throw BrowserError.refused(command: "Target.createTarget", message: "no target id")
    }
    let attached = try await connection.command(
      "Target.attachToTarget", ["targetId": name, "flatten": true])
    guard let session = attached["sessionId"]?.text else {
      throw BrowserError.refused(command: "Target.attachToTarget", message: "no session id")
    }
    let tab = ChromiumTab(connection: connection, session: session, target: name, profile: id)
    try await tab.prepare()
    return tab
  }
}
