import Foundation
import Synchronization

/// The `harbor` program: it runs, stops and runs again with the same data, at the same port.
final class HarborProgram: Sendable {
  private struct State {
    var process: Process?
    var port: UInt16 = 0
    var starts = 0
  }

  private let state = Mutex(State())
  private let directory: URL
  private let watchdog: Watchdog

  init(_ watchdog: Watchdog) throws {
    self.watchdog = watchdog
    directory = FileManager.default.temporaryDirectory
      .appending(path: "stress-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  /// The port of the pages.
  var port: UInt16 { state.withLock(\.port) }
  /// The number of starts.
  var starts: Int { state.withLock(\.starts) }

  /// Starts the program and waits until it has printed its address.
  func start() throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = try Self.executable()
    process.arguments = ["--port", "\(port)", "--data", directory.path, "--empty"]
    process.standardOutput = output
    try process.run()
    watchdog.examine(process.processIdentifier)
    var text = ""
    while true {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { throw Problem("harbor did not start: \(text)") }
      text += String(decoding: piece, as: UTF8.self)
      guard let match = text.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\s/) else { continue }
      let port = UInt16(match.1) ?? 0
      state.withLock { state in
        state.process = process
        state.port = port
        state.starts += 1
      }
      return
    }
  }

  /// Sends a signal and waits for the end.
  ///
  /// - Throws: If SIGTERM does not end the program properly.
  func end(by signal: Int32) throws {
    guard let process = state.withLock(\.process) else { return }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    watchdog.examine(nil)
    guard signal == SIGTERM else { return }
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Problem("SIGTERM ended harbor with \(process.terminationStatus)")
    }
  }

  /// The memory in kilobytes and the open files of the program, on Linux.
  var use: (memory: Int, files: Int) {
    guard let process = state.withLock(\.process) else { return (0, 0) }
    let folder = "/proc/\(process.processIdentifier)"
    let status = (try? String(contentsOfFile: "\(folder)/status", encoding: .utf8)) ?? ""
    let memory = status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) } ?? 0
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd"))?.count
    return (memory, files ?? 0)
  }

  func removeData() { try? FileManager.default.removeItem(at: directory) }

  /// The executable in the folder of this program; `STRESS_HARBOR` names another one.
  private static func executable() throws -> URL {
    if let path = ProcessInfo.processInfo.environment["STRESS_HARBOR"] {
      return URL(fileURLWithPath: path)
    }
    guard let folder = Bundle.main.executableURL?.deletingLastPathComponent() else {
      throw Problem("the folder of this program is unknown")
    }
    return folder.appending(path: "harbor")
  }
}

/// A result that the stress program does not accept.
struct Problem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
