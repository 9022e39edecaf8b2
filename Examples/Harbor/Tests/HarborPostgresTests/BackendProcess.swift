import BrowserDriver
import Foundation
import Synchronization
import TestSupport

/// A process of `harbor` that a test kills and starts again, on the same port.
final class BackendProcess: Sendable {
  /// The requests to the process.
  let server: Server
  let port: ReservedPort
  private let arguments: [String]
  private let process = Mutex<ChildProcess?>(nil)

  /// - Parameters:
  ///   - store: The address of the database.
  ///   - command: The command and its other options.
  init(store: String, _ command: [String] = ["serve"]) throws {
    port = try ReservedPort()
    arguments = command + ["--port", "\(port.number)", "--store", store]
    server = Server(
      url: URL(string: "http://127.0.0.1:\(port.number)") ?? URL(filePath: "/"))
  }

  /// Starts the process, and returns when it accepts requests.
  func start() async throws {
    let started = try ChildProcess(Self.executable(), arguments: arguments)
    process.withLock { $0 = started }
    for await line in started.lines where line.contains("http://") { return }
    throw TestServer.Failure(description: "harbor did not start: \(await started.allErrors)")
  }

  /// Kills the process without a chance to clean up.
  func kill() async {
    let running = process.withLock { $0.take() }
    running?.send(signal: SIGKILL)
    _ = await running?.exit
  }

  /// The output of a command that ends by itself.
  static func output(of arguments: [String]) async throws -> String {
    let command = try ChildProcess(executable(), arguments: arguments)
    var lines: [String] = []
    for await line in command.lines { lines.append(line) }
    guard await command.exit == .code(0) else {
      throw TestServer.Failure(description: await command.allErrors)
    }
    return lines.joined(separator: "\n")
  }

  /// The executable that was built with these tests.
  private static func executable() throws -> URL {
    let places =
      Bundle.allBundles.map(\.bundleURL) + [Bundle.main.executableURL].compactMap { $0 }
    let candidates = places.flatMap { [$0, $0.deletingLastPathComponent()] }
      .map { $0.appending(path: "harbor") }
    guard
      let executable = candidates.first(where: {
        FileManager.default.isExecutableFile(atPath: $0.path)
      })
    else { throw TestServer.Failure(description: "harbor was not built") }
    return executable
  }
}
