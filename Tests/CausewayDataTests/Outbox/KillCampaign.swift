import Foundation
import TestSupport

/// Starts clients and servers and kills them, on a thread of its own, because it blocks.
struct KillCampaign: Sendable {
  struct Result: Sendable {
    /// The mutations that clients said were acknowledged to them.
    var told: [String] = []
    var clientKills = 0
    var serverKills = 0
    /// Clients that had acknowledged something and had more to do.
    var killsDuringWork = 0
    var duration = Duration.zero
    /// What is in the files of the server and the client at the end, by the first word of a line.
    var report: [String: [String]] = [:]
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// How many mutations a client makes in each of three scopes.
  private static let work = 8

  let folder: String
  let kills: Int
  let seed: UInt64

  func run() async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Swift.Result { try perform() })
      }
    }
  }

  private func perform() throws -> Result {
    let beginning = ContinuousClock.now
    var random = SeededRandom(seed: seed)
    var result = Result()
    var server = try startServer()
    defer { end(server) }
    for run in 1...kills {
      let client = try start(["work", folder, "\(run)", "\(Self.work)"])
      if Int.random(in: 0..<10, using: &random) == 0 {
        // The server goes at about the time of the client, before or after it.
        pause(upTo: 60, &random)
        endServer(server)
        result.serverKills += 1
        if Bool.random(using: &random) { server = try startServer() }
      }
      var lines = LineReader(client.output)
      // Half of the clients are killed after some time, the others after some acknowledgements.
      if Bool.random(using: &random) {
        pause(upTo: 120, &random)
      } else {
        for _ in 0..<Int.random(in: 1...(3 * Self.work - 1), using: &random) { _ = lines.next() }
        pause(upTo: 5, &random)
      }
      end(client.process)
      result.clientKills += 1
      while lines.next() != nil {}
      result.told += lines.all
      if (1..<(3 * Self.work)).contains(lines.all.count) { result.killsDuringWork += 1 }
      if !server.isRunning { server = try startServer() }
    }
    let last = try start(["drain", folder])
    var lines = LineReader(last.output)
    while lines.next() != nil {}
    last.process.waitUntilExit()
    guard lines.all == ["drained"], last.process.terminationStatus == 0 else {
      throw Failure(description: "The last client ended with \(last.process.terminationStatus).")
    }
    let report = try start(["report", folder])
    lines = LineReader(report.output)
    while let line = lines.next() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      result.report[words[0], default: []].append(words.count > 1 ? words[1] : "")
    }
    report.process.waitUntilExit()
    result.duration = beginning.duration(to: .now)
    return result
  }

  private func startServer() throws -> Process {
    try start(["server", folder]).process
  }

  /// Kills the server, whose port the system may give to another test's server from now on.
  private func endServer(_ process: Process) {
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(atPath: folder + "/port")
    process.waitUntilExit()
    // One that was killed while it began may have written it since.
    try? FileManager.default.removeItem(atPath: folder + "/port")
  }

  private func start(_ arguments: [String]) throws -> (process: Process, output: FileHandle) {
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let process = Process()
    process.executableURL = products.appending(path: "OutboxProbe")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    return (process, output.fileHandleForReading)
  }

  /// Without a chance to do anything about it.
  private func end(_ process: Process) {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// A moment that nothing in the other process decides.
  private func pause(upTo milliseconds: Int, _ random: inout SeededRandom) {
    Thread.sleep(forTimeInterval: .random(in: 0...Double(milliseconds), using: &random) / 1000)
  }
}

/// Takes lines from a pipe as they come; a last one without its end was cut off and is left out.
private struct LineReader {
  private let handle: FileHandle
  private var rest = Data()
  private(set) var all: [String] = []

  init(_ handle: FileHandle) {
    self.handle = handle
  }

  /// Waits for the next line; `nil` when every writer has ended.
  mutating func next() -> String? {
    while true {
      if let end = rest.firstIndex(of: 0x0A) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[rest.index(after: end)...]
        all.append(line)
        return line
      }
      let data = handle.availableData
      if data.isEmpty { return nil }
      rest += data
    }
  }
}
