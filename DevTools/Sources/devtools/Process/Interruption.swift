import Foundation
import Synchronization

/// Ends the children of the tool and removes its temporary folders when it has to end early.
enum Interruption {
  private struct State {
    var isEnding = false
    /// The children with the signals that end them.
    var children: [pid_t: Int32] = [:]
    var folders: Set<String> = []
  }

  private static let state = Mutex(State())

  /// From now on, a signal that would end the tool ends its children first.
  ///
  /// The threads that exist later block these signals too. `Shell` unblocks them for each child.
  static func watch() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let blocked = signals
    Thread.detachNewThread {
      var signals = blocked
      var signal: Int32 = 0
      sigwait(&signals, &signal)
      end()
      exit(128 + signal)
    }
  }

  /// Ends all children and removes the folders.
  ///
  /// The caller must then exit.
  static func end() {
    let left = state.withLock {
      $0.isEnding = true
      return $0
    }
    // A script ends before its own children, some of which have process groups of their own.
    let descendants = descendants(of: getpid())
    for (child, signal) in left.children { kill(child, signal) }
    var running = Array(left.children.keys)
    for _ in 0..<100 {
      running = running.filter { waitpid($0, nil, WNOHANG) == 0 }
      if running.isEmpty { break }
      usleep(100_000)
    }
    for child in running { kill(child, SIGKILL) }
    for child in descendants where !left.children.keys.contains(child) { kill(child, SIGTERM) }
    for folder in left.folders { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// The children of a process, their children, and so on.
  private static func descendants(of root: pid_t) -> [pid_t] {
    guard let list = popen("ps -A -o pid= -o ppid=", "r") else { return [] }
    defer { pclose(list) }
    var children: [pid_t: [pid_t]] = [:]
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    while getline(&line, &size, list) > 0, let text = line {
      let numbers = String(cString: text).split { $0.isWhitespace }.compactMap { pid_t($0) }
      if numbers.count == 2 { children[numbers[1], default: []].append(numbers[0]) }
    }
    var found = children[root] ?? []
    var next = 0
    while next < found.count {
      found += children[found[next]] ?? []
      next += 1
    }
    return found
  }

  /// Starts a child with the closure, which returns an error number.
  ///
  /// While the tool ends, no child starts, and this function does not return. At SIGTERM,
  /// `swift test` would leave its tests, which have process groups of their own. At SIGINT, `make`
  /// would wait for its children.
  static func starting(
    _ process: inout pid_t, _ command: [String], with spawn: (inout pid_t) -> Int32
  ) -> Int32 {
    let error = state.withLock { state -> Int32? in
      if state.isEnding { return nil }
      let error = spawn(&process)
      if error == 0 { state.children[process] = command.contains("swift") ? SIGINT : SIGTERM }
      return error
    }
    if let error { return error }
    waitForExit()
  }

  /// Forgets a child that has ended.
  ///
  /// While the tool ends, this function does not return.
  static func ended(_ process: pid_t) {
    let isEnding = state.withLock {
      $0.children[process] = nil
      return $0.isEnding
    }
    if isEnding { waitForExit() }
  }

  /// Removes the folder too when the tool ends early.
  static func remove(_ folder: String) { state.withLock { _ = $0.folders.insert(folder) } }

  /// Calls the closure with the path of a new folder, and removes the folder.
  static func withTemporaryFolder<T>(_ body: (String) throws -> T) throws -> T {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("devtools-\(UUID().uuidString)").path
    remove(folder)
    defer {
      try? FileManager.default.removeItem(atPath: folder)
      state.withLock { _ = $0.folders.remove(folder) }
    }
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    return try body(folder)
  }

  private static func waitForExit() -> Never {
    while true { sleep(1000) }
  }
}
