import BrowserDriver
import Foundation
import Synchronization
import TestSupport

/// A process of `harbor serve` that a test kills and starts again, on the same port.
final class BackendProcess: Sendable {
  /// The requests to the process.
  let server: Server
  private let store: String
  private let port: ReservedPort
  private let process = Mutex<ChildProcess?>(nil)

  /// - Parameter store: The address of the database.
  init(store: String) throws {
    self.store = store
    port = try ReservedPort()
    server = Server(
      url: URL(string: "http://127.0.0.1:\(port.number)") ?? URL(filePath: "/"))
  }

  /// Starts the process, and returns when it accepts requests.
  func start() async throws {
    let started = try ChildProcess(
      Self.executable(), arguments: ["serve", "--port", "\(port.number)", "--store", store])
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
