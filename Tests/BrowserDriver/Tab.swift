import Foundation

/// One tab of a ``Browser``.
package struct Tab: Sendable {
  let connection: DevToolsConnection
  let session: String
  let target: JSON
  /// The profile of the tab; `nil` for the default profile of the browser.
  var profile: JSON?

  func prepare() async throws {
    for domain in ["Page", "Runtime", "Log"] {
      try await command("\(domain).enable")
    }
    // Every tab behaves like the front tab: animation frames run, and focus and blur are real.
    try await command("Emulation.setFocusEmulationEnabled", ["enabled": true])
  }

  /// Loads an address and returns when the page has fired `load`.
  ///
  /// - Throws: `BrowserError.unreachable`, or `.unanswered` if it never finishes loading.
  package func open(_ url: String) async throws {
    let seen = await connection.count(of: "Page.loadEventFired", tab: session)
    let answer = try await command("Page.navigate", ["url": .string(url)])
    if let reason = answer["errorText"]?.text {
      throw BrowserError.unreachable(url: url, reason: reason)
    }
    try await connection.wait(
      for: "Page.loadEventFired", beyond: seen, tab: session, limit: .seconds(60))
  }

  /// Reloads the page, and returns when the page has fired `load`.
  ///
  /// - Returns: Whether the page warned before it was left. The driver accepts each warning.
  @discardableResult
  package func reload() async throws -> Bool {
    try await leaving { try await command("Page.reload") }
  }

  /// Goes back to the page before this one, like ``reload()``.
  @discardableResult
  package func goBack() async throws -> Bool {
    try await leaving { try await evaluate("setTimeout(() => history.back())") }
  }

  /// Goes forward to the page after this one, like ``reload()``.
  @discardableResult
  package func goForward() async throws -> Bool {
    try await leaving { try await evaluate("setTimeout(() => history.forward())") }
  }

  /// Runs a script at the start of each page that this tab loads from now on.
  package func beforeEachPage(run script: String) async throws {
    try await command("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
  }

  /// Returns when the page has shown a dialog, such as the warning that appears before a page is
  /// left.
  package func waitForWarning() async throws {
    try await connection.wait(
      for: "Page.javascriptDialogOpening", beyond: 0, tab: session, limit: .seconds(60))
  }

  private func leaving(_ leave: () async throws -> Void) async throws -> Bool {
    let dialog = "Page.javascriptDialogOpening"
    let seen = await connection.count(of: "Page.loadEventFired", tab: session)
    let warnings = await connection.count(of: dialog, tab: session)
    try await leave()
    try await connection.wait(
      for: "Page.loadEventFired", beyond: seen, tab: session, limit: .seconds(60))
    return await connection.count(of: dialog, tab: session) > warnings
  }

  /// Evaluates a JavaScript expression in the page, awaits it if it is a promise, and decodes its
  /// value from JSON.
  ///
  /// - Throws: `BrowserError.script` if it throws, a `DecodingError` if its value is not a `T`.
  package func evaluate<T: Decodable>(_ expression: String, as type: T.Type) async throws -> T {
    let value = try await evaluate(expression)
    return try JSONDecoder().decode(type, from: JSONEncoder().encode(value))
  }

  /// Evaluates a JavaScript expression in the page, awaits a promise, and returns the value.
  @discardableResult
  package func evaluate(
    _ expression: String, limit: Duration = .seconds(60)
  ) async throws -> JSON {
    let answer = try await connection.command(
      "Runtime.evaluate",
      [
        "expression": .string(expression), "awaitPromise": true, "returnByValue": true,
        "userGesture": true,
      ], tab: session, limit: limit)
    if let details = answer["exceptionDetails"] {
      let thrown = details["exception"]
      throw BrowserError.script(
        source: expression,
        message: thrown?["description"]?.text ?? thrown?["value"]?.text
          ?? details["text"]?.text ?? "something")
    }
    return answer["result"]?["value"] ?? .null
  }

  /// The errors that the page has reported so far, oldest first.
  package var problems: [ConsoleProblem] {
    get async { await connection.problems(tab: session) }
  }

  /// The number of frames in the page that could not be loaded.
  package var failedFrames: Int {
    get async throws {
      guard
        case .array(let frames) = try await command("Page.getFrameTree")["frameTree"]?[
          "childFrames"]
      else { return 0 }
      return frames.count { $0["frame"]?["unreachableUrl"] != nil }
    }
  }

  /// Closes the tab.
  package func close() async throws {
    try await connection.command("Target.closeTarget", ["targetId": target])
  }

  @discardableResult
  func command(_ name: String, _ parameters: JSON = [:]) async throws -> JSON {
    try await connection.command(name, parameters, tab: session)
  }
}

extension String {
  /// This text as a JavaScript string literal.
  package var script: String {
    guard let data = try? JSONEncoder().encode(self) else { return "\"\"" }
    return String(decoding: data, as: UTF8.self)
  }
}
