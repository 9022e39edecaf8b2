import Synchronization

/// The sessions of a server, by their tokens.
final class Sessions: Sendable {
  private let limits: WebServer.Limits
  private let sessions = Mutex<[String: PageSession]>([:])

  /// Sent for a token that is not (or no longer) known; the page then makes a new session.
  static let unknown = Problem(
    .gone, code: "unknown-session",
    detail: "This session has ended or never existed; load the page again to start a new one.")

  init(limits: WebServer.Limits) {
    self.limits = limits
  }

  var count: Int { sessions.withLock { $0.count } }

  func checkRoom() throws(Problem) {
    if count >= limits.sessions {
      throw Problem(
        .serviceUnavailable, code: "too-many-sessions",
        detail: "All \(limits.sessions) sessions are in use; close a tab or try again later.",
        headers: ["Retry-After": "5"])
    }
  }

  func add(_ session: PageSession) throws(Problem) {
    let isAdded = sessions.withLock { sessions in
      guard sessions.count < limits.sessions else { return false }
      sessions[session.token] = session
      return true
    }
    if !isAdded { try checkRoom() }
  }

  func session(_ token: String) -> PageSession? {
    sessions.withLock { $0[token] }
  }

  func end(_ session: PageSession) {
    sessions.withLock { $0[session.token] = nil }
    session.end()
  }

  /// Ends those that nobody uses any more.
  ///
  /// Complexity: O(n) in the number of sessions.
  func sweep(now: ContinuousClock.Instant) {
    for session in sessions.withLock({ Array($0.values) })
    where session.isOver(now: now, limits: limits) {
      end(session)
    }
  }

  func endAll() {
    let all = sessions.withLock { sessions in
      defer { sessions = [:] }
      return Array(sessions.values)
    }
    for session in all { session.end() }
  }
}
