import Synchronization

/// The sessions of a server, by their tokens.
final class Sessions: Sendable {
  private let limits: WebServer.Limits
  private let uncounted: Set<String>
  private let sessions = Mutex<[String: PageSession]>([:])

  /// Sent for a token that is not (or no longer) known; the page then makes a new session.
  static let unknown = Problem(
    .gone, code: "unknown-session",
    detail: "This session has ended or never existed; load the page again to start a new one.")

  init(configuration: WebServer.Configuration) {
    limits = configuration.limits
    uncounted = configuration.uncountedAddresses
  }

  var count: Int { sessions.withLock { $0.count } }

  /// Refuses a page before its model is made.
  ///
  /// - Parameters:
  ///   - browser: The browser's cookie, or nil for a new browser.
  ///   - address: The numeric address that asks.
  func checkRoom(browser: String?, address: String) throws(Problem) {
    let ended = try sessions.withLock { sessions throws(Problem) in
      try makeRoom(for: browser, address, in: &sessions)
    }
    for session in ended { session.end() }
  }

  func add(_ session: PageSession) throws(Problem) {
    let ended = try sessions.withLock { sessions throws(Problem) in
      let ended = try makeRoom(for: session.browser, session.address, in: &sessions)
      sessions[session.token] = session
      return ended
    }
    for session in ended { session.end() }
  }

  /// Removes sessions that a new one may replace, or throws the reason why there is no room.
  ///
  /// A browser that has too many loses the oldest without a stream, which is usually a closed tab.
  /// When the server is full, a page that never connected makes room, so a program that only loads
  /// pages cannot keep people out. After it comes the page that has had no stream for longest.
  ///
  /// Complexity: O(n) in the number of sessions.
  private func makeRoom(
    for browser: String?, _ address: String, in sessions: inout [String: PageSession]
  ) throws(Problem) -> [PageSession] {
    var ended: [PageSession] = []
    let own = browser.map { browser in sessions.values.filter { $0.browser == browser } } ?? []
    if own.count >= limits.sessionsPerBrowser {
      guard let oldest = Self.oldest(of: own.filter { $0.detachedSince != nil }) else {
        throw Self.tooMany(
          .tooManyRequests,
          "\(own.count) tabs of this browser are open here. Close one and try again.")
      }
      sessions[oldest.token] = nil
      ended.append(oldest)
    }
    if !uncounted.contains(address) {
      let count = sessions.values.count { $0.address == address }
      if count >= limits.sessionsPerAddress {
        throw Self.tooMany(
          .tooManyRequests,
          "\(count) pages are open from the address \(address). Close one or try again later.")
      }
    }
    if sessions.count >= limits.sessions {
      let now = ContinuousClock.now
      let unused = sessions.values.filter {
        $0.isUnused && $0.created + Self.shortestUnused <= now
      }
      let detached = sessions.values.compactMap { session in
        session.detachedSince.map { (since: $0, session: session) }
      }
      let longest = detached.min { $0.since < $1.since }
      let left = longest.flatMap { $0.since + Self.shortestDetached <= now ? $0.session : nil }
      guard let oldest = Self.oldest(of: unused) ?? left else {
        throw Self.tooMany(
          .serviceUnavailable,
          "All \(limits.sessions) sessions are in use. Close a tab or try again later.")
      }
      sessions[oldest.token] = nil
      ended.append(oldest)
    }
    return ended
  }

  /// A page has so long to connect before another one may take its place.
  private static let shortestUnused = Duration.seconds(3)

  /// A page whose connection was lost has so long to come back.
  private static let shortestDetached = Duration.seconds(30)

  private static func oldest(of sessions: some Sequence<PageSession>) -> PageSession? {
    sessions.min { $0.created < $1.created }
  }

  private static func tooMany(_ status: HTTPStatus, _ detail: String) -> Problem {
    Problem(status, code: "too-many-sessions", detail: detail, headers: ["Retry-After": "5"])
  }

  func session(_ token: String) -> PageSession? {
    sessions.withLock { $0[token] }
  }

  func end(_ session: PageSession) {
    sessions.withLock { $0[session.token] = nil }
    session.end()
  }

  /// Ends sessions that are no longer used.
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
