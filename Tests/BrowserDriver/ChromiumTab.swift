import Foundation

/// A tab of Chromium.
struct ChromiumTab: TabDriver {
  let connection: BrowserConnection
  let session: String
  let target: JSON
  let profile: String

  func prepare() async throws {
    for domain in ["Page", "Runtime", "Log"] {
      try await command("\(domain).enable")
    }
    // Every tab behaves like the front tab: animation frames run, and focus and blur are real.
    try await command("Emulation.setFocusEmulationEnabled", ["enabled": true])
  }

  func open(_ url: String) async throws {
    let seen = await connection.count(of: "Page.loadEventFired", tab: session)
    let answer = try await command("Page.navigate", ["url": .string(url)])
    if let reason = answer["errorText"]?.text {
      throw BrowserError.unreachable(url: url, reason: reason)
    }
    try await connection.wait(
      for: "Page.loadEventFired", beyond: seen, tab: session, limit: .seconds(60))
  }

  func leave(_ way: Leaving) async throws -> Bool {
    let dialog = "Page.javascriptDialogOpening"
    let seen = await connection.count(of: "Page.loadEventFired", tab: session)
    let warnings = await connection.count(of: dialog, tab: session)
    switch way {
    case .reload: try await command("Page.reload")
    case .back: _ = try await evaluate("setTimeout(() => history.back())", limit: .seconds(60))
    case .forward:
      _ = try await evaluate("setTimeout(() => history.forward())", limit: .seconds(60))
    }
    try await connection.wait(
      for: "Page.loadEventFired", beyond: seen, tab: session, limit: .seconds(60))
    return await connection.count(of: dialog, tab: session) > warnings
  }

  func waitForWarning() async throws {
    try await connection.wait(
      for: "Page.javascriptDialogOpening", beyond: 0, tab: session, limit: .seconds(60))
  }

  func beforeEachPage(run script: String) async throws {
    try await command("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
  }

  func evaluate(_ expression: String, limit: Duration) async throws -> JSON {
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

  var problems: [ConsoleProblem] {
    get async { await connection.problems(tab: session) }
  }

  var failedFrames: Int {
    get async throws {
      guard
        case .array(let frames) = try await command("Page.getFrameTree")["frameTree"]?[
          "childFrames"]
      else { return 0 }
      return frames.count { $0["frame"]?["unreachableUrl"] != nil }
    }
  }

  func close() async throws {
    try await connection.command("Target.closeTarget", ["targetId": target])
  }

  @discardableResult
  private func command(_ name: String, _ parameters: JSON = [:]) async throws -> JSON {
    try await connection.command(name, parameters, tab: session)
  }
}

extension ChromiumTab {
  func click(x: Double, y: Double) async throws {
    let (x, y) = (JSON.number(x), JSON.number(y))
    try await command("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": x, "y": y])
    for type in ["mousePressed", "mouseReleased"] {
      try await command(
        "Input.dispatchMouseEvent",
        ["type": .string(type), "x": x, "y": y, "button": "left", "clickCount": 1])
    }
  }

  func press(_ key: Tab.Key, shift: Bool) async throws {
    let name: JSON = .string(key == .space ? " " : key.rawValue)
    var members: [String: JSON] = [
      "type": key.text.isEmpty ? "rawKeyDown" : "keyDown", "key": name,
      "code": .string(key.rawValue), "windowsVirtualKeyCode": key.code,
      "modifiers": shift ? 8 : 0,
    ]
    if !key.text.isEmpty { members["text"] = .string(key.text) }
    try await command("Input.dispatchKeyEvent", .object(members))
    members["type"] = "keyUp"
    members["text"] = nil
    try await command("Input.dispatchKeyEvent", .object(members))
  }

  func type(_ text: String) async throws {
    try await command("Input.insertText", ["text": .string(text)])
  }
}

extension ChromiumTab {
  func resize(width: Int, height: Int, scale: Double) async throws {
    try await command(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(Double(width)), "height": .number(Double(height)),
        "deviceScaleFactor": .number(scale), "mobile": .bool(width < 600),
      ])
  }

  func prefer(_ scheme: Tab.ColorScheme, reducedMotion: Bool) async throws {
    try await command(
      "Emulation.setEmulatedMedia",
      [
        "features": [
          ["name": "prefers-color-scheme", "value": .string(scheme.rawValue)],
          [
            "name": "prefers-reduced-motion",
            "value": reducedMotion ? "reduce" : "no-preference",
          ],
        ]
      ])
  }

  func move(toTimeZone name: String) async throws {
    try await command("Emulation.setTimezoneOverride", ["timezoneId": .string(name)])
  }

  func picture(whole: Bool) async throws -> Data {
    var parameters: [String: JSON] = ["format": "png", "captureBeyondViewport": .bool(whole)]
    if whole {
      let metrics = try await command("Page.getLayoutMetrics")
      let size = metrics["cssContentSize"]
      parameters["clip"] = [
        "x": 0, "y": 0, "width": size?["width"] ?? 0, "height": size?["height"] ?? 0, "scale": 1,
      ]
    }
    let answer = try await command("Page.captureScreenshot", .object(parameters))
    guard let text = answer["data"]?.text, let picture = Data(base64Encoded: text) else {
      throw BrowserError.refused(command: "Page.captureScreenshot", message: "no picture")
    }
    return picture
  }
}

extension Tab.Key {
  fileprivate var code: JSON {
    switch self {
    case .tab: 9
    case .enter: 13
    case .escape: 27
    case .space: 32
    case .backspace: 8
    case .arrowUp: 38
    case .home: 36
    case .end: 35
    }
  }

  fileprivate var text: String {
    switch self {
    case .enter: "\r"
    case .space: " "
    case .tab, .escape, .backspace, .arrowUp, .home, .end: ""
    }
  }
}
