import BrowserDriver
import CausewayData
import CausewayPostgres
import Foundation
import Synchronization
import Testing

/// A private PostgreSQL server in a temporary directory, on a Unix socket.
///
/// A script owns the server. It stops the server and removes the directory when its input ends.
/// The input also ends when the test process crashes.
final class TestServer: Sendable {
  /// A failure to start or control the server, with the output of the shell.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The server for all tests that do not stop, pause or reconfigure it.
  static let shared = Task { try await TestServer() }

  // The tests of Harbor have a link to this file.
  private static let script = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Scripts/postgres-server")

  static let isInstalled: Bool = {
    let files = FileManager.default
    let folders = ["/usr/lib/postgresql", "/opt/homebrew/opt"].flatMap { folder in
      ((try? files.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)/bin" }
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return (folders + path.split(separator: ":").map(String.init))
      .contains { files.isExecutableFile(atPath: $0 + "/initdb") }
  }()

  static let skipReason: Comment =
    "skipped: there is no PostgreSQL server; Scripts/bootstrap test installs it"

  let directory: String
  private let shell: ChildProcess
  private let names = Mutex(0)
  private let answers: AnswerQueue

  init() async throws {
    shell = try ChildProcess(Self.script, arguments: [])
    answers = AnswerQueue(shell.lines)
    let words = await answers.next()?.split(separator: " ").map(String.init) ?? []
    guard words.count == 2, words[0] == "done" else {
      throw Failure(description: "\(words.joined(separator: " ")) \(shell.errors)")
    }
    directory = words[1]
  }

  /// Starts, stops, pauses or kills the server.
  func control(_ command: String) async throws {
    try shell.input.write(contentsOf: Data("\(command)\n".utf8))
    let answer = await answers.next()
    guard answer == "done" else {
      throw Failure(description: answer ?? "the shell ended: \(shell.errors)")
    }
  }

  /// The address of the server, with a schema for one test.
  func url(schema: String? = nil) -> String {
    let path = schema.map { "&options=-csearch_path%3D\($0)" } ?? ""
    return "postgres://postgres@/postgres?host=\(directory)\(path)"
  }

  /// Makes an empty schema and returns an address that uses it.
  func makeSchema() async throws -> String {
    let name = names.withLock { number in
      number += 1
      return "test_\(number)"
    }
    var configuration = PostgresService.Configuration()
    configuration.observesOtherProcesses = false
    let service = try await PostgresService(
      url: url(), migrations: [], configuration: configuration)
    try await service.write { try $0.execute("CREATE SCHEMA \(identifier: name)") }
    try await service.close()
    return url(schema: name)
  }

  /// Ends the shell, which stops the server.
  func close() async {
    try? shell.input.close()
    _ = await shell.exit
  }
}

/// The lines of the shell, read by one caller at a time.
private actor AnswerQueue {
  private var lines: AsyncStream<String>.Iterator?

  init(_ lines: AsyncStream<String>) {
    self.lines = lines.makeAsyncIterator()
  }

  func next() async -> String? {
    var taken = lines.take()
    defer { lines = taken }
    return await taken?.next(isolation: self)
  }
}
