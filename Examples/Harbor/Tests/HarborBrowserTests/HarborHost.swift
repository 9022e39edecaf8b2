import BrowserDriver
import CausewayWeb
import Foundation
import HarborBackend

@testable import HarborApp

/// A running Harbor, which browsers can open.
protocol RunningHarbor: Sendable {
  /// Its address, such as `http://127.0.0.1:40123`.
  var url: String { get }
}

/// Harbor in the process of the tests, for tests whose subject is the page.
struct HarborHost: RunningHarbor {
  let url: String
  private let server: HarborServer

  /// Starts Harbor with the options of the program.
  init(data: URL, options: [String] = ["--empty"]) async throws {
    let command = try Command(arguments: ["--port", "0", "--data", data.path] + options)
    guard case .run(let options) = command else { throw URLError(.unsupportedURL) }
    server = try await HarborServer(
      options: options, directory: DataDirectory(path: data.path))
    url = server.url
  }

  func stop() async throws { try await server.stop() }
}

/// Runs a body with its own Harbor, browser and data directory, and ends all of them.
func withHarbor(
  _ options: [String] = ["--empty"], in kind: BrowserKind = .chromium,
  _ body: (HarborHost, Browser, URL) async throws -> Void
) async throws {
  try await withTemporaryDirectory { data in
    let harbor = try await HarborHost(data: data, options: options)
    do {
      try await withBrowser(kind) { browser in try await body(harbor, browser, data) }
    } catch {
      try? await harbor.stop()
      throw error
    }
    try await harbor.stop()
  }
}
