import Synchronization

/// The sessions of a server, by their tokens.
final class Sessions: Sendable {
  private let limits: WebServerLimits
  private let uncounted: Set<String>
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())
  /// The page loads of each network and of each browser.
  private let loads: RateLimiter
  /// The limit of each network for pages that are loaded again because the server has restarted.
  private let returns: RateLimiter
  /// The cookies that were replaced.
  let renewals: BrowserRenewals
  let slowAnswers = SlowAnswers()
  let deadlines: AnswerDeadlines

  private struct State {
    var sessions: [String: PageSession] = [:]
    /// When the first page was loaded.
    var began: ContinuousClock.Instant?
    var lastOpening = 0
    /// For each page whose session is being made: the conditions of the calls that have ended
    /// sessions since the page was requested.
    var ends: [Int: [@Sendable (PageSession) -> Bool]] = [:]
    var freed = FreedSessions()
  }

  /// The answer to a token that is unknown or has expired.
  ///
  /// The page then starts a new session.
  static let unknown = Problem(
    .gone, code: "unknown-session",
    detail: "This session has ended or never existed; load the page again to start a new one.")

  init(configuration: WebServerConfiguration) {
    limits = configuration.limits
    deadlines = AnswerDeadlines(limits.effectTime)
    uncounted = configuration.uncountedAddresses
    now = configuration.now
    renewals = BrowserRenewals(now: now)
    loads = RateLimiter(
      rate: limits.pageLoadsPerSecond, burst: limits.pageLoadBurst, code: "too-many-pages",
      detail: "Too many pages were loaded.", now: configuration.now)
    // A network had at most this many pages, and all of them return at once.
    returns = RateLimiter(
      rate: 0, burst: limits.sessionsPerAddress, code: "too-many-pages",
      detail: "Too many pages were loaded.", now: configuration.now)
  }

  var count: Int { state.withLock(\.sessions.count) }

  /// Refuses a page before its model is made if there is no room for a session.
  ///
  /// - Parameters:
  ///   - browser: The browser's cookie, or nil for a new browser.
  ///   - address: The numeric address of the client.
  ///   - isReturning: Whether a page of the server's run before this one needs a new session.
  func checkRoom(browser: String?, address: String, isReturning: Bool) throws(Problem) {
    let network = uncounted.contains(address) ? nil : ClientAddress.group(of: address)
    if let browser { try loads.count("browser \(browser)") }
    if let network, !isReturning || !returns.allows(network) { try loads.count(network) }
    let now = now()
    let ended = try state.withLock { state throws(Problem) in
      try makeRoom(for: browser, address, now, in: &state.sessions)
    }
    release(ended)
  }

  /// Whether the server began so recently that the pages of its last run are still returning.
  ///
  /// A server may be made long before it serves its first page.
  var isBeginning: Bool {
    let now = now()
    return state.withLock { state in
      let first = state.began ?? now
      state.began = first
      return now < first + Self.returnTime
    }
  }

  /// The time in which the visible pages of the server's last run return.
  ///
  /// A page without a connection tries again after eight seconds at most.
  private static let returnTime = Duration.seconds(60)

  /// Records that a page is being opened, and returns the page's number.
  ///
  /// Sessions may be ended while the page's model is being made. If the condition of such a call
  /// matches the page's session, that session must end too.
  func beginOpening() -> Int {
    state.withLock { state in
      state.lastOpening += 1
      state.ends[state.lastOpening] = []
      return state.lastOpening
    }
  }

  func endOpening(_ number: Int) {
    // The conditions, and what they keep, are released without the lock.
    _ = state.withLock { $0.ends.removeValue(forKey: number) }
  }

  /// Adds a session, unless a call has ended matching sessions since the page was requested.
  ///
  /// In that case it throws.
  func add(_ session: PageSession, from opening: Int) throws(Problem) {
    let now = now()
    let (ended, ends) = try state.withLock { state throws(Problem) in
      let ended = try makeRoom(for: session.browser, session.address, now, in: &state.sessions)
      // The insertion and the read of the conditions are one step. So a call that ends sessions
      // either finds this session or has stored its condition.
      state.sessions[session.token] = session
      return (ended, state.ends[opening] ?? [])
    }
    release(ended)
    guard session.isEnded || ends.contains(where: { $0(session) }) else { return }
    end(session)
    throw Self.replaced
  }

  /// The answer to a page with a replaced cookie; its script tries again.
  static let replaced = Problem(
    .serviceUnavailable, code: "browser-renewed",
    detail: "The identity of this browser has just changed. Try again.",
    headers: ["Retry-After": "1"])

  /// Ends the sessions of a cookie that was replaced.
  func endAll(ofReplaced cookie: String) { endAll(isInterrupting: false) { $0.browser == cookie } }

  /// Removes sessions that a new one may replace, or throws the reason why there is no room.
  ///
  /// If a browser has too many sessions, its oldest session without a stream is removed. That is
  /// usually a closed tab. If the address has too many sessions or the server is full, a session
  /// whose page never connected is removed first. A program that only loads pages therefore cannot
  /// lock out people. Next is the session that has had no stream for the longest time. Nothing is
  /// removed if any limit refuses the new session. The caller ends the removed sessions.
  ///
  /// Complexity: O(n) in the number of sessions.
  private func makeRoom(
    for browser: String?, _ address: String, _ now: ContinuousClock.Instant,
    in sessions: inout [String: PageSession]
  ) throws(Problem) -> [PageSession] {
    var left: [String: PageSession] = [:]
    // A limit does not count the sessions that an earlier limit replaces.
    func remaining(_ isCounted: (PageSession) -> Bool) -> [PageSession] {
      sessions.values.filter { left[$0.token] == nil && isCounted($0) }
    }
    if let browser {
      let own = remaining { $0.browser == browser }
      if own.count >= limits.sessionsPerBrowser {
        guard let oldest = Self.oldest(of: own.filter { $0.detachedSince != nil }) else {
          throw Self.tooMany(
            .tooManyRequests,
            "\(own.count) tabs of this browser are open here. Close one and try again.")
        }
        left[oldest.token] = oldest
      }
    }
    if !uncounted.contains(address) {
      let group = ClientAddress.group(of: address)
      let neighbours = remaining { ClientAddress.group(of: $0.address) == group }
      if neighbours.count >= limits.sessionsPerAddress {
        guard let abandoned = abandoned(among: neighbours, now) else {
          throw Self.tooMany(
            .tooManyRequests,
            "\(neighbours.count) pages are open from the address \(address). Close one or try again "
              + "later.")
        }
        left[abandoned.token] = abandoned
      }
    }
    if sessions.count - left.count >= limits.sessions {
      guard let abandoned = abandoned(among: remaining { _ in true }, now) else {
        throw Self.tooMany(
          .serviceUnavailable,
          "All \(limits.sessions) sessions are in use. Close a tab or try again later.")
      }
      left[abandoned.token] = abandoned
    }
    for token in left.keys { sessions[token] = nil }
    return Array(left.values)
  }

  /// Returns the oldest page that never connected.
  ///
  /// If all pages have connected, it returns the page that has had no stream for the longest time.
  private func abandoned(
    among sessions: [PageSession], _ now: ContinuousClock.Instant
  ) -> PageSession? {
    let unused = sessions.filter { $0.isUnused && $0.created + Self.shortestUnused <= now }
    if let oldest = Self.oldest(of: unused) { return oldest }
    let detached = sessions.compactMap { session in
      session.detachedSince.map { (since: $0, session: session) }
    }
    let longest = detached.min { $0.since < $1.since }
    return longest.flatMap { $0.since + Self.shortestDetached <= now ? $0.session : nil }
  }

  /// The time that a page has to connect before another page may take its place.
  private static let shortestUnused = Duration.seconds(3)

  /// The time that a page has to reconnect after a lost connection.
  private static let shortestDetached = Duration.seconds(30)

  private static func oldest(of sessions: some Sequence<PageSession>) -> PageSession? {
    sessions.min { $0.created < $1.created }
  }

  private static func tooMany(_ status: HTTPStatus, _ detail: String) -> Problem {
    Problem(status, code: "too-many-sessions", detail: detail, headers: ["Retry-After": "5"])
  }

  func session(_ token: String) -> PageSession? {
    state.withLock { $0.sessions[token] }
  }

  func end(_ session: PageSession) {
    state.withLock { $0.sessions[session.token] = nil }
    release([session])
  }

  /// Ends sessions that were removed from the table.
  private func release(_ ended: [PageSession], isInterrupting: Bool = true) {
    for session in ended { session.end(isInterrupting: isInterrupting) }
    let (count, now) = (ended.count, now())
    state.withLock { $0.freed.count(count, now: now) }
  }

  /// Ends sessions that are no longer used, and returns the memory of many ended sessions to the
  /// system.
  ///
  /// Complexity: O(n) in the number of sessions.
  func sweep() {
    let now = now()
    for session in state.withLock({ Array($0.sessions.values) })
    where session.isOver(now: now, limits: limits) {
      end(session)
    }
    if state.withLock({ $0.freed.takeDue(now: now) }) { CLibrary.releaseFreeMemory() }
  }

  /// Ends all sessions that match, and returns their number.
  ///
  /// - Parameter isInterrupting: See ``PageSession/end(isInterrupting:)``.
  @discardableResult
  func endAll(
    isInterrupting: Bool = true,
    where isWanted: @escaping @Sendable (PageSession) -> Bool = { _ in true }
  ) -> Int {
    let wanted = state.withLock { state in
      for number in state.ends.keys { state.ends[number]?.append(isWanted) }
      let wanted = state.sessions.values.filter(isWanted)
      for session in wanted { state.sessions[session.token] = nil }
      return wanted
    }
    release(wanted, isInterrupting: isInterrupting)
    return wanted.count
  }
}

/// Decides when the memory of ended sessions returns to the system.
///
/// The C library keeps freed memory for later allocations. Returning it takes milliseconds, so it
/// happens once for many sessions.
struct FreedSessions {
  private var ended = 0
  private var since: ContinuousClock.Instant?

  /// The number of ended sessions whose memory is worth returning.
  static let batch = 100
  /// The time that the last tasks of the sessions have to end.
  static let delay = Duration.seconds(10)

  mutating func count(_ sessions: Int, now: ContinuousClock.Instant) {
    ended += sessions
    if ended >= Self.batch, since == nil { since = now }
  }

  /// Whether the memory should be returned now; true once for each batch.
  mutating func takeDue(now: ContinuousClock.Instant) -> Bool {
    guard let since, since + Self.delay <= now else { return false }
    self = FreedSessions()
    return true
  }
}
