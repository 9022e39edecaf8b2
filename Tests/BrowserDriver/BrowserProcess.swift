import Foundation

/// A running browser, which several tests share.
///
/// Each test has its own profiles in the browser, so it shares no cookies, storage or workers with
/// others.
protocol BrowserProcess: Sendable {
  /// Whether the process has ended.
  var hasEnded: Bool { get async }
  /// Makes an empty profile, and returns its id.
  func makeProfile() async throws -> String
  /// Closes the tabs of a profile, and removes what it has stored.
  func removeProfile(_ id: String) async throws
  func newTab(inProfile id: String) async throws -> any TabDriver
}

/// The browsers of this process: at most one of each kind.
///
/// They end with this process, which closes their standard input.
actor SharedBrowsers {
  static let shared = SharedBrowsers()

  private var starting: [BrowserKind: Task<any BrowserProcess, any Error>] = [:]

  /// The running browser of a kind; starts it if there is none.
  ///
  /// - Throws: `BrowserError.notInstalled` without a browser, `.ended` if it does not start.
  func browser(_ kind: BrowserKind) async throws -> any BrowserProcess {
    while let known = starting[kind] {
      if let process = try? await known.value, await !process.hasEnded { return process }
      if starting[kind] == known { starting[kind] = nil }
    }
    let task = Task { () async throws -> any BrowserProcess in
      switch kind {
      case .chromium: try await Chromium()
      case .firefox: try await Firefox()
      }
    }
    starting[kind] = task
    return try await task.value
  }
}

/// The folder of a browser's profiles, which a shell removes after the browser.
enum ProfileFolder {
  static func make() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "browser-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Starts a browser by a shell script in which `$PROFILE` is the folder, `$0` is the browser and
  /// `$@` are the arguments.
  static func launch(
    _ script: String, _ kind: BrowserKind, in folder: URL, _ arguments: [String]
  ) throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment["PROFILE"] = folder.path
    return try ChildProcess(
      URL(filePath: "/bin/sh"), arguments: ["-c", script, kind.executable().path] + arguments,
      environment: environment)
  }
}
