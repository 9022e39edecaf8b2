import Foundation

/// A headless Chromium that a test owns, driven over its debugging pipe.
///
/// The protocol runs over file descriptors 3 and 4, so no port is opened and no other process can
/// reach the browser. It has its own profile, which ``close()`` removes.
package final class Browser: Sendable {
  private let process: ChildProcess
  private let connection: DevToolsConnection
  private let listening: Task<Void, Never>
  private let profile: URL

  /// Starts a browser.
  ///
  /// - Throws: `BrowserError.notInstalled` without a browser, `.ended` if it does not start.
  package static func launch() async throws -> Browser {
    let browser = try Browser(executable: executable())
    do {
      try await browser.connection.command("Browser.getVersion")
    } catch {
      await browser.close()
      throw error
    }
    return browser
  }

  private init(executable: URL) throws {
    profile = FileManager.default.temporaryDirectory
      .appending(path: "browser-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
    var flags = [
      "--headless=new", "--remote-debugging-pipe", "--user-data-dir=\(profile.path)",
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
    process = try ChildProcess(
      URL(filePath: "/bin/sh"),
      arguments: ["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null", executable.path]
        + flags)
    let connection = DevToolsConnection(process: process)
    self.connection = connection
    listening = Task { await connection.listen() }
  }

  /// Opens a tab.
  ///
  /// - Parameter ownProfile: Whether the tab shares no cookies with others, like a second person's
  ///   browser.
  package func newTab(ownProfile: Bool = false) async throws -> Tab {
    guard ownProfile else { return try await newTab(inProfile: nil) }
    let context = try await connection.command("Target.createBrowserContext")
    return try await newTab(inProfile: context["browserContextId"])
  }

  /// Opens a tab that shares its cookies with another tab.
  package func newTab(besides tab: Tab) async throws -> Tab {
    try await newTab(inProfile: tab.profile)
  }

  private func newTab(inProfile profile: JSON?) async throws -> Tab {
    var parameters: [String: JSON] = ["url": "about:blank", "newWindow": true]
    if let profile { parameters["browserContextId"] = profile }
    let target = try await connection.command("Target.createTarget", .object(parameters))
    guard let id = target["targetId"] else {
      throw BrowserError.refused(command: "Target.createTarget", message: "no target id")
    }
    let attached = try await connection.command(
      "Target.attachToTarget", ["targetId": id, "flatten": true])
    guard let session = attached["sessionId"]?.text else {
      throw BrowserError.refused(command: "Target.attachToTarget", message: "no session id")
    }
    let tab = Tab(connection: connection, session: session, target: id, profile: profile)
    try await tab.prepare()
    return tab
  }

  /// Ends the browser and removes its profile.
  ///
  /// Its process has ended when this returns.
  package func close() async {
    _ = try? await connection.command("Browser.close", limit: .seconds(5))
    let process = process
    let deadline = Task {
      try await Task.sleep(for: .seconds(10))
      process.send(signal: SIGKILL)
    }
    _ = await process.exit
    deadline.cancel()
    await listening.value
    try? FileManager.default.removeItem(at: profile)
  }

  /// The browser to run: `CHROME` if it is set, otherwise the first known name in `PATH`.
  private static func executable() throws -> URL {
    let environment = ProcessInfo.processInfo.environment
    if let chosen = environment["CHROME"], !chosen.isEmpty {
      guard FileManager.default.isExecutableFile(atPath: chosen) else {
        throw BrowserError.notInstalled(searched: ["CHROME=\(chosen)"])
      }
      return URL(filePath: chosen)
    }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
    let apple = [
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ]
    let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } } + apple
    for path in paths where FileManager.default.isExecutableFile(atPath: path) {
      return URL(filePath: path)
    }
    throw BrowserError.notInstalled(searched: names.map { "\($0) in PATH" } + apple)
  }
}
