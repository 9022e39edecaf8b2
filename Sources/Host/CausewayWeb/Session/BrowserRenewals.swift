import Synchronization

/// The cookies that were replaced, and the pages that get the new ones.
final class BrowserRenewals: Sendable {
  private struct State {
    /// The replaced cookies, with the time of the change.
    var replaced: [String: ContinuousClock.Instant] = [:]
    /// The cookies whose new identity is being stored.
    var running: Set<String> = []
    /// The new cookies of pages, by the tokens of their sessions.
    var heirs: [String: Heir] = [:]

    mutating func replace(_ cookie: String, at now: ContinuousClock.Instant) {
      if replaced.count >= limit { replaced = replaced.filter { $0.value + replacementTime > now } }
      if replaced.count < limit { replaced[cookie] = now }
    }
  }

  private struct Heir {
    let old, new: String
    let since: ContinuousClock.Instant
  }

  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  /// The time in which a new cookie reaches all tabs of its browser.
  private static let replacementTime = Duration.seconds(10)
  /// The time limit for a page that has signed in to request its new cookie.
  private static let inheritanceTime = Duration.seconds(60)
  private static let limit = 10_000

  init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

  /// Records that no new session may use a cookie.
  func replace(_ cookie: String) {
    let now = now()
    state.withLock { $0.replace(cookie, at: now) }
  }

  /// Whether a cookie was replaced so recently that the new cookie may not have arrived yet.
  ///
  /// Another new cookie in the answer could overwrite the first one.
  func isReplaced(_ cookie: String) -> Bool {
    let now = now()
    return state.withLock {
      $0.replaced[cookie].map { $0 + Self.replacementTime > now } ?? false
    }
  }

  /// Whether the cookie is one of the stored replaced cookies.
  func wasReplaced(_ cookie: String) -> Bool { state.withLock { $0.replaced[cookie] != nil } }

  /// Begins to replace a cookie at the request of one of its pages.
  ///
  /// - Throws: A `Problem` if another page has replaced it, or is about to.
  func begin(_ cookie: String) throws(Problem) {
    let isFirst = state.withLock { state in
      state.replaced[cookie] == nil && state.running.insert(cookie).inserted
    }
    guard isFirst else { throw Sessions.replaced }
  }

  /// Ends the replacement of a cookie: nothing was stored.
  func cancel(_ cookie: String) { state.withLock { _ = $0.running.remove(cookie) } }

  /// Ends the replacement of a cookie: the page with this token gets the new one.
  func finish(_ cookie: String, by new: String, for token: String) {
    let now = now()
    state.withLock { state in
      state.running.remove(cookie)
      state.replace(cookie, at: now)
      state.heirs = state.heirs.filter { $0.value.since + Self.inheritanceTime > now }
      if state.heirs.count < Self.limit {
        state.heirs[token] = Heir(old: cookie, new: new, since: now)
      }
    }
  }

  /// The new cookie for a page, if the page has started the replacement of its cookie.
  ///
  /// The token is a secret of that page. Another person who knows the old cookie does not know it.
  func cookie(for token: String, replacing old: String) -> String? {
    let now = now()
    return state.withLock { state in
      guard let heir = state.heirs[token], heir.old == old,
        heir.since + Self.inheritanceTime > now
      else { return nil }
      return heir.new
    }
  }
}
