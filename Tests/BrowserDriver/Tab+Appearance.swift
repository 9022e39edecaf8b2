import Foundation

extension Tab {
  /// The preferences that a person's system reports to pages.
  public enum ColorScheme: String, Sendable, CaseIterable { case light, dark }

  /// The pixels by which the page is wider than the tab.
  public var overflow: Int {
    get async throws {
      try await evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth", as: Int.self)
    }
  }

  /// Sets the tab's screen size in CSS pixels.
  public func resize(width: Int, height: Int, scale: Double = 1) async throws {
    try await driver.resize(width: width, height: height, scale: scale)
  }

  /// Sets the preferred colours, light or dark, and motion, full or reduced; only in Chromium.
  public func prefer(_ scheme: ColorScheme, reducedMotion: Bool = false) async throws {
    try await driver.prefer(scheme, reducedMotion: reducedMotion)
  }

  /// Sets the time zone of the person's system, such as `Asia/Tokyo`.
  public func move(toTimeZone name: String) async throws {
    try await driver.move(toTimeZone: name)
  }

  /// Writes a picture of the page, whole or its visible part, if `PICTURES` is set.
  ///
  /// That variable is the folder of the PNG files, which people look at.
  ///
  /// - Throws: Foundation's error if the file cannot be written.
  public func screenshot(_ name: String, whole: Bool = true) async throws {
    guard let path = ProcessInfo.processInfo.environment["PICTURES"] else { return }
    let folder = URL(filePath: path, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try await driver.picture(whole: whole).write(to: folder.appending(path: "\(name).png"))
  }
}
