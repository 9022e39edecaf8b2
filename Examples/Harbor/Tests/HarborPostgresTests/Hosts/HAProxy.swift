import BrowserDriver
import CausewayData
import CausewayHTTP
import Foundation
import TestSupport
import Testing

/// HAProxy in front of two hosts, with the configuration of Harbor's README.
final class HAProxy: Sendable {
  private static let path = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"].first {
    FileManager.default.isExecutableFile(atPath: "\($0)/haproxy")
  }

  static let isAvailable = ConditionTrait.enabled(
    if: path != nil, "skipped: there is no HAProxy; Scripts/bootstrap test installs it")

  /// The requests to the proxy.
  let server: Server
  private let port: ReservedPort
  private let process: ChildProcess
  private let directory: URL

  /// - Parameter hosts: The ports of the hosts.
  init(_ hosts: [UInt16]) async throws {
    port = try ReservedPort()
    directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    let file = directory.appending(path: "haproxy.cfg")
    try Self.configuration(port.number, hosts).write(to: file, atomically: true, encoding: .utf8)
    process = try ChildProcess(
      URL(filePath: "\(Self.path ?? "")/haproxy"), arguments: ["-db", "-q", "-f", file.path])
    server = Server(url: URL(string: "http://127.0.0.1:\(port.number)") ?? URL(filePath: "/"))
    for host in 1...hosts.count { try await waitForHost(host) }
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// Waits until the proxy sends new browsers to a host.
  func waitForHost(_ number: Int) async throws {
    let network = server.guest
    while true {
      try Task.checkCancellation()
      let answer = try? await network.response(for: .init(.get, "/health"))
      if answer?.headers["set-cookie"]?.contains("host=host\(number);") == true { return }
    }
  }

  func stop() async {
    process.send(signal: SIGTERM)
    _ = await process.exit
  }

  /// The configuration in the README, with local addresses and without TLS.
  private static func configuration(_ port: UInt16, _ hosts: [UInt16]) throws -> String {
    let readme = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    let blocks = text.components(separatedBy: "```")
    let block = try #require(blocks.first { $0.contains("\nfrontend ") })
    var lines = block.split(separator: "\n").dropFirst().map(String.init)
    lines.removeAll { $0.contains("bind :80") || $0.contains("redirect scheme") }
    for (index, line) in lines.enumerated() {
      if line.contains("bind :443") { lines[index] = "  bind 127.0.0.1:\(port)" }
      for (number, host) in hosts.enumerated() {
        lines[index].replace("10.0.0.1\(number + 1):8080", with: "127.0.0.1:\(host)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
