import CausewayWeb

/// The requests of a server from one hour to the next, for the log.
struct Traffic {
  private let name: String
  private var last: ServerCounters

  /// Begins to count.
  ///
  /// - Parameters:
  ///   - name: What the server serves, for the line.
  ///   - counters: The counters of this moment.
  init(_ name: String, since counters: ServerCounters) { (self.name, last) = (name, counters) }

  /// Returns a line about the requests since the last call; `nil` if there were none.
  mutating func line(_ now: ServerCounters) -> String? {
    defer { last = now }
    let requests = now.requests - last.requests
    guard requests > 0 else { return nil }
    return """
      The \(name) answered \(requests) requests in the last hour: \(now.refusals - last.refusals) \
      refused, \(now.failures - last.failures) failed. Open now: \(now.connections) connections, \
      \(now.sessions) sessions.
      """
  }

  /// Writes a line every hour, until the task is cancelled.
  static func follow(_ server: WebServer, as name: String, _ log: ServerLog) async {
    var traffic = Traffic(name, since: server.counters)
    while (try? await Task.sleep(for: .seconds(3_600))) != nil {
      if let line = traffic.line(server.counters) { log.info(line) }
    }
  }
}
