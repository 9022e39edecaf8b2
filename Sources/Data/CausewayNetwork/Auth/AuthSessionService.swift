public import CausewayBasics
import Foundation
import Synchronization

/// Holds the token of the signed-in account, and refreshes it once for all callers.
///
/// ```swift
/// let auth = AuthSessionService(store: FileTokenStore(path: path)) { token in
///   try await login.value(for: .refreshed(by: token.refresh))
/// }
/// session.follow(auth)
/// try await auth.signIn(token, as: "ada")
/// ```
///
/// - A refused token is refreshed only once at a time; other callers with the same token wait for
///   that refresh.
/// - If a waiting caller is cancelled, the refresh continues, because the server may already have
///   replaced the token.
/// - If the session ends during a refresh, the refreshed token is discarded and not stored.
/// - Processes that share a ``FileTokenStore`` refresh its token once: the first process stores the
///   new token, and the other processes use it. If another process has removed the token or signed
///   in with another account, the session ends as if the server had refused it.
/// - A caller with a refused token of an earlier session gets an error and no token. Otherwise its
///   request would be sent again for another account.
public actor AuthSessionService: AuthSessionServiceProtocol {
  /// Requests a token from the server, to replace a refused token.
  ///
  /// The session ends when the server refuses the token and the closure throws that `NetworkError`.
  /// Two kinds of responses are refusals. The first has status 400 and a JSON object whose `error`
  /// is `invalid_grant` or `invalid_client`, as in RFC 6749, section 5.2. The second has status 401
  /// and is not a web page. The session also ends when the closure throws
  /// `AuthSessionError.refused`. After any other error the session continues, and the next caller
  /// with the refused token tries the refresh again. A network service that the closure uses must
  /// not use this session.
  public typealias Refresh = @concurrent @Sendable (AuthToken) async throws -> AuthToken

  /// Starts work that continues even if its caller is cancelled; returns a closure that cancels it.
  package typealias Spawn =
    @Sendable (@escaping @concurrent @Sendable () async -> Void) -> @Sendable () -> Void

  private typealias Answer = Result<AuthToken, AuthSessionError>

  /// Where the answer of a refresh comes from.
  private enum Origin {
    case server
    /// Another process has changed the store.
    case store
  }

  private struct Flight {
    let id: Int
    let refused: AuthToken
    var cancel: @Sendable () -> Void = {}
    /// The waiting callers; a cancelled caller stays here, and resuming it again does nothing.
    var waiters: [Waiter<Answer>] = []
    /// Resumed when the refresh has ended, even if its token is no longer needed.
    var ends: [CheckedContinuation<Void, Never>] = []
  }

  typealias Refusal = (account: AccountID?, reason: String)

  private let store: any TokenStore
  private let refresh: Refresh
  private let spawn: Spawn
  private let onStoreFailure: @Sendable (TokenStoreError) -> Void
  private nonisolated let refusalBroadcast = Broadcast<Refusal>(
    nil, buffering: .everything)
  /// Closures that end the session in other services, which follow this service.
  private nonisolated let endings = Mutex<[@Sendable (Refusal) -> Void]>([])
  /// `nil` until the store was read.
  private var current: AuthToken??
  /// The token that this process has last read from the store or written to it.
  ///
  /// If the store has another token, another process has changed the store.
  private var stored: AuthToken?
  /// The number of sign-ins and sign-outs.
  ///
  /// It identifies the session of a refresh.
  private var epoch = 0
  private var flight: Flight?
  /// Earlier tokens of this session, the newest last.
  private var replaced: [AuthToken] = []
  /// Refreshes of sessions that have ended, and the callers that wait for their end.
  private var orphans: [Int: [CheckedContinuation<Void, Never>]] = [:]
  private var nextID = 0

  /// Makes a session with the token in a store.
  ///
  /// - Parameters:
  ///   - store: Stores the token across restarts. It is read when a token is first needed.
  ///   - onStoreFailure: Called when a refreshed token cannot be stored. The session then uses that
  ///     token until the program ends.
  ///   - refresh: Requests a new token from the server.
  public init(
    store: any TokenStore,
    onStoreFailure: @escaping @Sendable (TokenStoreError) -> Void = { _ in },
    refresh: @escaping Refresh
  ) {
    self.init(
      store: store, onStoreFailure: onStoreFailure,
      spawn: { work in
        let task = Task { await work() }
        return { task.cancel() }
      }, refresh: refresh)
  }

  package init(
    store: any TokenStore,
    onStoreFailure: @escaping @Sendable (TokenStoreError) -> Void,
    spawn: @escaping Spawn,
    refresh: @escaping Refresh
  ) {
    self.store = store
    self.onStoreFailure = onStoreFailure
    self.spawn = spawn
    self.refresh = refresh
  }

  /// Yields a refusal each time that the server refuses both the token and its refresh.
  ///
  /// The stream is registered when this returns. An element has the account that was signed in, if
  /// that is known. It also has the reason in words, without secrets.
  public nonisolated func refusals() -> AsyncStream<(account: AccountID?, reason: String)> {
    refusalBroadcast.stream()
  }

  /// Calls a closure after the server has ended the session.
  nonisolated func onRefusal(_ end: @escaping @Sendable (Refusal) -> Void) {
    endings.withLock { $0.append(end) }
  }

  /// Begins a session; ends the previous session, if any.
  ///
  /// - Parameters:
  ///   - token: The token from the server.
  ///   - account: The account of the token. ``participant`` uses it to decide on a sign-out.
  /// - Throws: `AuthSessionError.store` if the token cannot be stored. In this case no account is
  ///   signed in.
  public func signIn(_ token: AuthToken, as account: AccountID) throws(AuthSessionError) {
    endSession()
    current = .some(nil)
    stored = nil
    var token = token
    token.account = account
    token.expiry = Self.plausible(token.expiry)
    do {
      try store.save(token)
    } catch {
      throw .store(error)
    }
    (current, stored) = (token, token)
  }

  /// Ends the session and deletes its token; also waits until a running refresh has ended.
  ///
  /// - Throws: `AuthSessionError.store` if the token cannot be deleted from the store. Even then no
  ///   account is signed in until the program starts again.
  public func signOut() async throws(AuthSessionError) {
    let flight = endSession()
    (current, stored) = (.some(nil), nil)
    var failure: TokenStoreError?
    do {
      try store.remove()
    } catch {
      failure = error
    }
    if let flight { await end(of: flight) }
    if let failure { throw .store(failure) }
  }

  /// Ends the session if its token belongs to the data that a participant has to remove.
  ///
  /// A token without a known account is always removed, because it may belong to any account.
  func wipe(_ wipe: SessionParticipant.Wipe) async throws(AuthSessionError) {
    let token: AuthToken?
    do {
      token = try self.token()
    } catch {
      // An unreadable token may belong to the account that logs out.
      return try await signOut()
    }
    // If memory has no token, an earlier removal from the store may have failed. So the token is
    // removed again.
    if let account = token?.account {
      switch wipe {
      case .only(let leaving): guard account == leaving else { return }
      case .allExcept(let staying): guard account != staying else { return }
      }
    }
    try await signOut()
  }

  /// The token to send; `nil` if no account is signed in.
  ///
  /// - Throws: `AuthSessionError.store` if the token cannot be loaded.
  public func token() throws(AuthSessionError) -> AuthToken? {
    if let current { return current }
    do {
      let loaded = try store.load()
      (current, stored) = (.some(loaded), loaded)
      return loaded
    } catch {
      throw .store(error)
    }
  }

  /// Returns a new token that replaces a token that the server has refused.
  ///
  /// - Throws: `AuthSessionError`, which is `ended` for a token of an earlier session;
  ///   `CancellationError` when the task is cancelled.
  public func token(replacing refused: AuthToken) async throws -> AuthToken {
    try Task.checkCancellation()
    guard let current = try token() else { throw AuthSessionError.signedOut }
    if current != refused {
      guard replaced.contains(refused) else { throw AuthSessionError.ended }
      // Another caller has already refreshed the token.
      return current
    }
    if flight == nil { begin(refused) }
    let waiter = Waiter<Answer>()
    flight?.waiters.append(waiter)
    let answer = await waiter.value { $0.resume(returning: .failure(.ended)) }
    try Task.checkCancellation()
    return try answer.get()
  }

  private func begin(_ refused: AuthToken) {
    let (id, epoch) = (nextID, epoch)
    nextID += 1
    flight = Flight(id: id, refused: refused)
    let cancel = spawn { [refresh, store, weak self] in
      let answer: Answer
      var lock: (any Sendable)?
      do {
        lock = try await RefreshLock.wait(for: store)
        // Another process may have refreshed the token before.
        if await self?.landChange(id, in: epoch) ?? true { return }
        answer = .success(try await refresh(refused))
      } catch let error as AuthSessionError {
        answer = .failure(error)
      } catch {
        let reason = Self.reason(of: error, hiding: refused)
        let isRefusal = (error as? NetworkError)?.endsSession ?? false
        answer = .failure(isRefusal ? .refused(reason) : .refreshFailed(reason))
      }
      await self?.land(id, in: epoch, answer)
      // The next process finds the new token in the store.
      withExtendedLifetime(lock) {}
    }
    flight?.cancel = cancel
  }

  /// Ends a refresh before its request if another process has changed the store.
  ///
  /// - Returns: Whether the refresh has ended.
  private func landChange(_ id: Int, in epoch: Int) -> Bool {
    guard epoch == self.epoch, let flight, flight.id == id else {
      finish(id)
      return true
    }
    guard let change = changeElsewhere(of: flight.refused) else { return false }
    land(id, in: epoch, change, from: .store)
    return true
  }

  /// The change of a token by another process; `nil` if no other process has changed the store.
  private func changeElsewhere(of token: AuthToken) -> Answer? {
    // If this process has not read or stored a token, there is nothing to compare. For example, the
    // current token could not be stored because the disk was full.
    guard let stored else { return nil }
    let found: AuthToken?
    do {
      found = try store.load()
    } catch {
      // The token in memory may still be good.
      return nil
    }
    guard let found else {
      return .failure(.refused("the stored token was removed, perhaps by another process"))
    }
    guard found.access != stored.access || found.refresh != stored.refresh else { return nil }
    guard found.account == token.account else {
      return .failure(.refused("another account has signed in in another process"))
    }
    return .success(found)
  }

  /// Stores the result of a refresh.
  ///
  /// There is no `await` between the check of the epoch and the call of the store.
  private func land(_ id: Int, in epoch: Int, _ answer: Answer, from origin: Origin = .server) {
    guard epoch == self.epoch, let flight, flight.id == id else { return finish(id) }
    var (answer, origin) = (answer, origin)
    // In the meantime, another process may have signed in or out. Its token must not be replaced.
    // Without a lock, the server may also have refused this refresh because another process has
    // refreshed the token.
    if origin == .server, answer.isFinal, let change = changeElsewhere(of: flight.refused) {
      (answer, origin) = (change, .store)
    }
    self.flight = nil
    switch answer {
    case .success(var token):
      token.account = flight.refused.account
      // RFC 6749, section 6: the server may keep the refresh token and then omits it.
      token.refresh = token.refresh ?? flight.refused.refresh
      token.expiry = Self.plausible(token.expiry)
      answer = .success(token)
      replaced.append(flight.refused)
      replaced.removeFirst(max(0, replaced.count - Self.replacedLimit))
      current = token
      do {
        if origin == .server { try store.save(token) }
        stored = token
      } catch {
        onStoreFailure(error)
      }
    case .failure(.refused(let reason)):
      endSession()
      (current, stored) = (.some(nil), nil)
      do {
        // If another process has changed the store, its token stays.
        if origin == .server { try store.remove() }
      } catch {
        onStoreFailure(error)
      }
      let refusal: Refusal = (flight.refused.account, reason)
      refusalBroadcast.send(refusal, beginning: nil)
      for end in endings.withLock(\.self) { end(refusal) }
    case .failure:
      break
    }
    for waiter in flight.waiters { waiter.resume(returning: answer) }
    for end in flight.ends { end.resume() }
  }

  /// The expiry of a new token; `nil` if it has passed already.
  ///
  /// A passed expiry means that the clock of this device or of the server is wrong. Then only the
  /// server's answer counts.
  private static func plausible(_ expiry: Date?) -> Date? {
    expiry.flatMap { $0 > SystemValues.date ? $0 : nil }
  }

  /// Ends the current session; returns the identifier of its refresh if it is still running.
  @discardableResult
  private func endSession() -> Int? {
    epoch += 1
    replaced = []
    guard let flight else { return nil }
    self.flight = nil
    orphans[flight.id] = flight.ends
    flight.cancel()
    for waiter in flight.waiters { waiter.resume(returning: .failure(.ended)) }
    return flight.id
  }

  private func end(of flight: Int) async {
    await withCheckedContinuation { continuation in
      if orphans[flight] == nil {
        continuation.resume()
      } else {
        orphans[flight]?.append(continuation)
      }
    }
  }

  private func finish(_ flight: Int) {
    for end in orphans.removeValue(forKey: flight) ?? [] { end.resume() }
  }

  /// The largest number of earlier tokens that are kept.
  ///
  /// During one request, the token is refreshed less often than this. Older tokens count as tokens of
  /// another session.
  private static let replacedLimit = 16

  /// The reason why a refresh failed.
  ///
  /// It omits the server's response, which may contain new tokens.
  private static func reason(of error: any Error, hiding token: AuthToken) -> String {
    var error = error
    if var failure = error as? NetworkError {
      failure.bodyExcerpt = nil
      error = failure
    }
    var reason = String(describing: error)
    for secret in [token.access, token.refresh ?? ""] where !secret.isEmpty {
      reason = reason.replacing(secret, with: "…")
    }
    return reason
  }
}

extension Result<AuthToken, AuthSessionError> {
  /// Whether the server has decided about the session.
  fileprivate var isFinal: Bool {
    switch self {
    case .success, .failure(.refused): true
    case .failure: false
    }
  }
}

extension NetworkError {
  /// Whether the response to a refresh means that the server no longer accepts the session.
  ///
  /// A driver decides this from the whole response. An error from other code has only the excerpt.
  fileprivate var endsSession: Bool {
    kind == .status && (refusesToken ?? excerptRefusesToken)
  }
}
