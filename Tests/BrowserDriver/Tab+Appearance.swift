package import Foundation

extension Tab {
  /// The preferences that a person's system reports to pages.
  package enum ColorScheme: String, Sendable, CaseIterable { case light, dark }

  /// The pixels by which the page is wider than the tab.
  package var overflow: Int {
    get async throws {
      try await evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth", as: Int.self)
    }
  }

  /// Sets the tab's screen size in CSS pixels.
  package func resize(width: Int, height: Int, scale: Double = 1) async throws {
    try await command(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(Double(width)), "height": .number(Double(height)),
        "deviceScaleFactor": .number(scale), "mobile": .bool(width < 600),
      ])
  }

  /// Sets the preferred colours, light or dark, and motion, full or reduced.
  package func prefer(_ scheme: ColorScheme, reducedMotion: Bool = false) async throws {
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

  /// Sets the time zone of the person's system, such as `Asia/Tokyo`.
  package func move(toTimeZone name: String) async throws {
    try await command("Emulation.setTimezoneOverride", ["timezoneId": .string(name)])
  }

  /// Writes a screenshot of the page to a PNG file: the whole page, or the visible part.
  ///
  /// - Throws: Foundation's error if the file cannot be written.
  package func screenshot(to file: URL, whole: Bool = true) async throws {
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
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try picture.write(to: file)
  }
}
