package import Foundation

extension Tab {
  /// What a person's system asks pages for.
  package enum ColorScheme: String, Sendable, CaseIterable { case light, dark }

  /// Makes the tab look like a screen of that size, in CSS pixels.
  package func resize(width: Int, height: Int, scale: Double = 1) async throws {
    try await command(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(Double(width)), "height": .number(Double(height)),
        "deviceScaleFactor": .number(scale), "mobile": .bool(width < 600),
      ])
  }

  /// Makes the system of the tab prefer light or dark colours, and full or reduced motion.
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

  /// Writes a picture of the page to a PNG file: all of it, or what fits the screen.
  ///
  /// - Throws: what Foundation says where the file cannot be written.
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
