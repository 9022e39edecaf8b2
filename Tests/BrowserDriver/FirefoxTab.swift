import CausewayBasics
import Foundation

/// A tab of Firefox.
struct FirefoxTab: TabDriver {
  let connection: BrowserConnection
  let context: String
  let profile: String

  private static let load = "browsingContext.load"
  private static let dialog = "browsingContext.userPromptOpened"

  func open(_ url: String) async throws {
    do {
      try await command("browsingContext.navigate", ["url": .string(url), "wait": "complete"])
    } catch BrowserError.refused(_, let reason) {
      throw BrowserError.unreachable(url: url, reason: reason)
    }
  }

  func leave(_ way: Leaving) async throws -> Bool {
    let seen = await connection.count(of: Self.load, tab: context)
    let warnings = await connection.count(of: Self.dialog, tab: context)
    switch way {
    case .reload: try await command("browsingContext.reload", ["wait": "none"])
    case .back: try await command("browsingContext.traverseHistory", ["delta": -1])
    case .forward: try await command("browsingContext.traverseHistory", ["delta": 1])
    }
    try await connection.wait(for: Self.load, beyond: seen, tab: context, limit: .seconds(60))
    return await connection.count(of: Self.dialog, tab: context) > warnings
  }

  func waitForWarning() async throws {
    try await connection.wait(for: Self.dialog, beyond: 0, tab: context, limit: .seconds(60))
  }

  func beforeEachPage(run script: String) async throws {
    try await connection.command(
      "script.addPreloadScript",
      ["functionDeclaration": .string("() => { \(script) }"), "contexts": [.string(context)]])
  }

  func evaluate(_ expression: String, limit: Duration) async throws -> JSON {
    let answer = try await connection.command(
      "script.evaluate",
      [
        "expression": .string(expression), "target": ["context": .string(context)],
        "awaitPromise": true, "userActivation": true,
      ], tab: context, limit: limit)
    if let details = answer["exceptionDetails"] {
      throw BrowserError.script(
        source: expression, message: details["text"]?.text ?? "something")
    }
    return answer["result"].map(JSON.init(remote:)) ?? .null
  }

  var problems: [ConsoleProblem] {
    get async { await connection.problems(tab: context) }
  }

  var failedFrames: Int {
    get async throws {
      throw BrowserError.unsupported(.firefox, command: "tell which frames have failed")
    }
  }

  func close() async throws { try await command("browsingContext.close") }

  @discardableResult
  private func command(_ name: String, _ parameters: [String: JSON] = [:]) async throws -> JSON {
    var parameters = parameters
    parameters["context"] = .string(context)
    return try await connection.command(name, .object(parameters), tab: context)
  }
}

extension FirefoxTab {
  func click(x: Double, y: Double) async throws {
    try await perform([
      "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"],
      "actions": [
        ["type": "pointerMove", "x": .number(x.rounded()), "y": .number(y.rounded())],
        ["type": "pointerDown", "button": 0], ["type": "pointerUp", "button": 0],
      ],
    ])
  }

  func press(_ key: Tab.Key, shift: Bool) async throws {
    let modifier = shift ? ["\u{E008}"] : []
    let down = (modifier + [key.webDriver]).map {
      ["type": "keyDown", "value": .string($0)] as JSON
    }
    let up = ([key.webDriver] + modifier).map { ["type": "keyUp", "value": .string($0)] as JSON }
    try await perform(["type": "key", "id": "keys", "actions": .array(down + up)])
  }

  func type(_ text: String) async throws {
    let keys = text.flatMap { character in
      ["keyDown", "keyUp"].map {
        ["type": .string($0), "value": .string(String(character))] as JSON
      }
    }
    try await perform(["type": "key", "id": "keys", "actions": .array(keys)])
  }

  private func perform(_ source: JSON) async throws {
    // A key presses a button only in the active window, and the window of another test may become
    // active in between. A second activation would take the focus back from the browser's own bar,
    // where the Tab key goes after the last control of a page.
    try await connection.input.withLock {
      if await connection.activeTab != context {
        // The window becomes active some time after the answer.
        let limit = ContinuousClock.now.advanced(by: .seconds(5))
        repeat {
          try Task.checkCancellation()
          try await command("browsingContext.activate")
        } while try await evaluate("document.hasFocus()", limit: .seconds(60)) != .bool(true)
          && ContinuousClock.now < limit
        await connection.note(activeTab: context)
      }
      try await command("input.performActions", ["actions": [source]])
    }
  }
}

extension FirefoxTab {
  func resize(width: Int, height: Int, scale: Double) async throws {
    try await command(
      "browsingContext.setViewport",
      [
        "viewport": ["width": .number(Double(width)), "height": .number(Double(height))],
        "devicePixelRatio": .number(scale),
      ])
  }

  func prefer(_ scheme: Tab.ColorScheme, reducedMotion: Bool) async throws {
    throw BrowserError.unsupported(.firefox, command: "change the preferred colours")
  }

  func move(toTimeZone name: String) async throws {
    try await connection.command(
      "emulation.setTimezoneOverride",
      ["timezone": .string(name), "contexts": [.string(context)]])
  }

  func picture(whole: Bool) async throws -> Data {
    let answer = try await command(
      "browsingContext.captureScreenshot", ["origin": whole ? "document" : "viewport"])
    guard let text = answer["data"]?.text, let picture = Data(base64Encoded: text) else {
      throw BrowserError.refused(
        command: "browsingContext.captureScreenshot", message: "no picture")
    }
    return picture
  }
}

extension Tab.Key {
  /// The key in WebDriver's table of keys.
  fileprivate var webDriver: String {
    switch self {
    case .tab: "\u{E004}"
    case .enter: "\u{E006}"
    case .escape: "\u{E00C}"
    case .space: " "
    case .backspace: "\u{E003}"
    case .arrowUp: "\u{E013}"
    case .home: "\u{E011}"
    case .end: "\u{E010}"
    }
  }
}

extension JSON {
  /// The value of a script, as WebDriver BiDi describes it.
  ///
  /// A value without a form in JSON, such as an element, becomes an empty object.
  fileprivate init(remote value: JSON) {
    switch (value["type"]?.text, value["value"]) {
    case ("undefined", _), ("null", _): self = .null
    case ("string", let text?), ("boolean", let text?), ("number", let text?): self = text
    case ("array", .array(let elements)?): self = .array(elements.map(JSON.init(remote:)))
    case ("object", .array(let members)?):
      var object: [String: JSON] = [:]
      for case .array(let pair) in members where pair.count == 2 {
        if let name = pair[0].text { object[name] = JSON(remote: pair[1]) }
      }
      self = .object(object)
    default: self = [:]
    }
  }
}
