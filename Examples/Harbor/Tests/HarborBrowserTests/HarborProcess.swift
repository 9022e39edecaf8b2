import BrowserDriver
import Foundation
import TestSupport

/// The real `harbor` executable, run for a test.
struct HarborProcess: RunningHarbor {
  let process: ChildProcess
  /// Its address, such as `http://127.0.0.1:40123`.
  let url: String
  /// The address of its inspector, with the option `--inspect`.
  let inspector: String?
  private let reserved: ReservedPort?

  var port: String { String(url.split(separator: ":").last ?? "") }

  /// Starts the executable and returns when it has printed its address.
  ///
  /// - Parameter port: The port of an earlier process, for a restart; `nil` for any free port.
  /// - Parameter verb: The command, such as `serve`; `nil` for the backend and the app.
  init(
    _ verb: String? = nil, data: URL, at port: ReservedPort? = nil, options: [String] = []
  ) async throws {
    reserved = port
    process = try Self.launch(
      [verb].compactMap { $0 } + ["--port", "\(port?.number ?? 0)", "--data", data.path] + options)
    var addresses: [String] = []
    for await line in process.lines {
      guard let start = line.range(of: "http://") else { continue }
      addresses.append(String(line[start.lowerBound...]))
      guard addresses.count == (options.contains("--inspect") ? 2 : 1) else { continue }
      url = addresses[0]
      inspector = addresses.count > 1 ? addresses[1] : nil
      return
    }
    throw DidNotStart(errors: await process.allErrors)
  }

  /// Starts the executable with any arguments.
  static func launch(
    _ arguments: [String], with variables: [String: String] = [:]
  ) throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment["TZ"] = "Europe/Lisbon"
    environment.merge(variables) { _, new in new }
    return try ChildProcess(executable(), arguments: arguments, environment: environment)
  }

  /// Starts a command of the shell, in which `$HARBOR` is the executable.
  static func shell(_ command: String) throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment["HARBOR"] = try executable().path
    return try ChildProcess(
      URL(filePath: "/bin/sh"), arguments: ["-c", command], environment: environment)
  }

  /// Sends it SIGTERM, and returns how it ended.
  func stop() async -> ChildProcess.Exit {
    process.send(signal: SIGTERM)
    return await process.exit
  }

  /// Kills it without a chance to clean up.
  func kill() async {
    process.send(signal: SIGKILL)
    _ = await process.exit
  }

  struct DidNotStart: Error, CustomStringConvertible {
    let errors: String
    var description: String { "harbor did not start: \(errors)" }
  }

  /// The executable that was built with these tests, in the folder of the test bundle.
  static func executable() throws -> URL {
    let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }
    let folders =
      bundles.map { $0.bundleURL.deletingLastPathComponent() }
      + [Bundle.main.executableURL, Bundle.main.bundleURL].compactMap { $0 }
      .flatMap { [$0, $0.deletingLastPathComponent()] }
    let candidates = folders.map { $0.appending(path: "harbor") }
    for candidate in candidates
    where FileManager.default.isExecutableFile(atPath: candidate.path) {
      return candidate
    }
    throw DidNotStart(errors: "no executable at \(candidates.map(\.path)); run `swift build` first")
  }
}

/// Runs a body like ``withHarbor(_:in:_:)``, with Harbor as a process that the test can stop.
func withHarborProcess(
  _ options: [String] = ["--empty"], in kind: BrowserKind = .chromium,
  _ body: (HarborProcess, Browser, URL) async throws -> Void
) async throws {
  try await withTemporaryDirectory { data in
    let harbor = try await HarborProcess(data: data, options: options)
    do {
      try await withBrowser(kind) { browser in try await body(harbor, browser, data) }
      _ = await harbor.stop()
    } catch {
      _ = await harbor.stop()
      throw error
    }
  }
}

/// Runs a body with an empty directory that is removed afterwards.
func withTemporaryDirectory(_ body: (URL) async throws -> Void) async throws {
  let directory = FileManager.default.temporaryDirectory
    .appending(path: "harbor-\(UUID().uuidString)", directoryHint: .isDirectory)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  try await body(directory)
}
