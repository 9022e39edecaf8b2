import Foundation

/// A browser that tests can drive.
public enum BrowserKind: String, Sendable, CaseIterable, Codable {
  case chromium, firefox

  /// The browser to run: the value of ``variable``, otherwise the first known name in `PATH`.
  ///
  /// - Throws: `BrowserError.notInstalled`.
  func executable() throws -> URL {
    let environment = ProcessInfo.processInfo.environment
    if let chosen = environment[variable], !chosen.isEmpty {
      guard FileManager.default.isExecutableFile(atPath: chosen) else {
        throw BrowserError.notInstalled(self, searched: ["\(variable)=\(chosen)"])
      }
      return URL(filePath: chosen)
    }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
    let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } } + applications
    for path in paths where FileManager.default.isExecutableFile(atPath: path) {
      return URL(filePath: path)
    }
    throw BrowserError.notInstalled(
      self, searched: names.map { "\($0) in PATH" } + applications)
  }

  /// The environment variable that chooses the executable.
  var variable: String {
    switch self {
    case .chromium: "CHROME"
    case .firefox: "FIREFOX"
    }
  }

  /// The package of Debian.
  var package: String {
    switch self {
    case .chromium: "chromium"
    case .firefox: "firefox-esr"
    }
  }

  private var names: [String] {
    switch self {
    case .chromium:
      ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
    case .firefox: ["firefox-esr", "firefox"]
    }
  }

  private var applications: [String] {
    switch self {
    case .chromium:
      [
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      ]
    case .firefox: ["/Applications/Firefox.app/Contents/MacOS/firefox"]
    }
  }
}
