import Foundation
import TestSupport

/// Starts and kills clients and servers, on its own thread because it blocks.
struct KillCampaign: Sendable {
  struct Result: Sendable {
    /// The mutations that clients reported as acknowledged.
    var told: [String] = []
    var clientKills = 0
    var serverKills = 0
    /// The number of clients that were killed after some, but not all, acknowledgements.
    var killsDuringWork = 0
    var duration = Duration.zero
    /// The lines of the final report on the server's and the client's files, by their first word.
    var report: [String: [String]] = [:]
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The number of mutations that a client makes in each of three scopes.
  private static let work = 8

  let folder: String
  let kills: Int
  let seed: UInt64
  /// The largest number of mutations in a request.
  ///
  /// If it is larger than one, mutations also require other mutations.
  var batchLimit = 1
  /// Whether the clients are devices whose sessions the server ends at random.
  var endsSessions = false

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
      let client = try start(
        endsSessions
          ? ["device", folder, "\(run)", "\(Self.work)"]
          : ["work", folder, "\(run)", "\(Self.work)", "\(batchLimit)"])
      if Int.random(in: 0..<10, using: &random) == 0 {
        // The server is killed at about the same time as the client, before or after it.
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
    let last = try start(
      endsSessions ? ["drain-device", folder] : ["drain", folder, "\(batchLimit)"])
    var lines = LineReader(last.output)
    while lines.next() != nil {}
    let exit = last.process.waitForExit()
    guard lines.all.last == "drained", exit == .code(0) else {
      throw Failure(description: "The last client ended with \(exit).")
    }
    result.told += lines.all.dropLast()
    let report = try start([endsSessions ? "report-device" : "report", folder])
    lines = LineReader(report.output)
    while let line = lines.next() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      result.report[words[0], default: []].append(words.count > 1 ? words[1] : "")
    }
    report.process.waitForExit()
    result.duration = beginning.duration(to: .now)
    return result
  }

  private func startServer() throws -> SpawnedProcess {
    try start(["server", folder]).process
  }

  /// Kills the server.
  ///
  /// The system may give its port to another test's server afterwards.
  private func endServer(_ process: SpawnedProcess) {
    process.send(signal: SIGKILL)
    try? FileManager.default.removeItem(atPath: folder + "/port")
    process.waitForExit()
    // A server that was killed during its start may still have written its port.
    try? FileManager.default.removeItem(atPath: folder + "/port")
  }

  private func start(_ arguments: [String]) throws -> (process: SpawnedProcess, output: FileHandle)
  {
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let output = Pipe()
    let process = try SpawnedProcess(
      products.appending(path: "OutboxProbe"), arguments, output: output.fileHandleForWriting)
    try output.fileHandleForWriting.close()
    return (process, output.fileHandleForReading)
  }

  /// Kills the process without a chance to react.
  private func end(_ process: SpawnedProcess) {
    process.send(signal: SIGKILL)
    process.waitForExit()
  }

  /// Waits for a random time, which does not depend on the other process.
  private func pause(upTo milliseconds: Int, _ random: inout SeededRandom) {
    Thread.sleep(forTimeInterval: .random(in: 0...Double(milliseconds), using: &random) / 1000)
  }
}

/// Reads lines from a pipe as they arrive, and drops an unfinished last line.
private struct LineReader {
  private let handle: FileHandle
  private var rest = Data()
  private(set) var all: [String] = []

  init(_ handle: FileHandle) {
    self.handle = handle
  }

  /// Waits for the next line, or `nil` when every writer has ended.
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
