/// Holds the token of the account that is signed in, and refreshes it once for all callers.
///
/// ```swift
/// let session = AuthSessionService(store: FileTokenStore(path: path)) { token in
///   try await login.value(for: .refreshed(by: token.refresh))
/// }
/// try await session.signIn(token, as: "ada")
/// ```
///
/// - There is one refresh of a refused token at a time; other callers with the same token wait for it.
/// - A waiting caller can be cancelled; the refresh goes on, because the server may have replaced
///   the token already.
/// - What a refresh brings after the session ended is thrown away, not stored.
/// - A caller with a refused token of another session gets no token of this one: the request that
///   it belongs to would be sent in the name of another account.
public actor AuthSessionService: AuthSessionServiceProtocol {
  /// Asks the server for another token in place of one that it refuses.
  ///
  /// Throws `AuthSessionError.refused` when the account has to sign in again; after any other
  /// error the session goes on. Network services in it must not use this session.
  public typealias Refresh = @concurrent @Sendable (AuthToken) async throws -> AuthToken

  /// Starts work that continues when its caller is cancelled; returns a closure that cancels it.
  package typealias Spawn =
    @Sendable (@escaping @concurrent @Sendable () async -> Void) -> @Sendable () -> Void

  private typealias Answer = Result<AuthToken, AuthSessionError>

  private struct Flight {
    let id: Int
    let refused: AuthToken
    var cancel: @Sendable () -> Void = {}
    /// Cancelled callers stay in it until the refresh ends; to resume them again does nothing.
    var waiters: [Waiter<Answer>] = []
    /// Continued when the refresh has ended, even if its token is not needed any more.
    var ends: [CheckedContinuation<Void, Never>] = []
  }

  private let store: any TokenStore
  private let refresh: Refresh
  private let spawn: Spawn
  private let onStoreFailure: @Sendable (TokenStoreError) -> Void
  /// `nil` until the store was asked.
  private var current: AuthToken??
  /// Counts sign-ins and sign-outs; a refresh belongs to one of them.
  private var epoch = 0
  private var flight: Flight?
  /// The tokens that this session had before its current one, the newest last.
  private var replaced: [AuthToken] = []
  /// Refreshes of sessions that have ended, and the waiters for their end.
  private var orphans: [Int: [CheckedContinuation<Void, Never>]] = [:]
  private var nextID = 0

  /// Makes a session of the token in a store.
  ///
  /// - Parameters:
  ///   - store: Keeps the token across restarts; asked when a token is first needed.
  ///   - onStoreFailure: Is told when a refreshed token could not be stored. The session goes on
  ///     with it until the program ends.
  ///   - refresh: Asks the server for another token.
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

  /// Begins a session; one before it ends.
  ///
  /// - Parameters:
  ///   - token: What the server gave.
  ///   - account: Whose token it is; ``participant`` signs out by it.
  /// - Throws: `AuthSessionError.store` when the token cannot be stored; no account is signed in then.
  public func signIn(_ token: AuthToken, as account: AccountID) throws(AuthSessionError) {
    endSession()
    current = .some(nil)
    var token = token
    token.account = account
    do {
      try store.save(token)
    } catch {
      throw .store(error)
    }
    current = token
  }

  /// Ends the session and deletes its token; returns when a running refresh has ended too.
  ///
  /// - Throws: `AuthSessionError.store` when the token cannot be deleted from the store. No account is
  ///   signed in all the same, until the program starts again.
  public func signOut() async throws(AuthSessionError) {
    let flight = endSession()
    current = .some(nil)
    var failure: TokenStoreError?
    do {
      try store.remove()
    } catch {
      failure = error
    }
    if let flight { await end(of: flight) }
    if let failure { throw .store(failure) }
  }

  /// Ends the session if its token is what a participant has to remove.
  ///
  /// A token whose account is not known may belong to any account, so it is removed in any case.
  func wipe(_ wipe: SessionParticipant.Wipe) async throws(AuthSessionError) {
    let token: AuthToken?
    do {
      token = try self.token()
    } catch {
      // An unreadable token may belong to the account that leaves.
      return try await signOut()
    }
    // Without a token in memory a former removal may have failed, so it is removed all the same.
    if let account = token?.account {
      switch wipe {
      case .only(let leaving): guard account == leaving else { return }
      case .allExcept(let staying): guard account != staying else { return }
      }
    }
    try await signOut()
  }

  /// The token to send, `nil` if no account is signed in.
  ///
  /// - Throws: `AuthSessionError.store` when it cannot be loaded.
  public func token() throws(AuthSessionError) -> AuthToken? {
    if let current { return current }
    do {
      let loaded = try store.load()
      current = .some(loaded)
      return loaded
    } catch {
      throw .store(error)
    }
  }

  /// Another token than the one that the server has refused.
  ///
  /// - Throws: `AuthSessionError`, which is `ended` for a token of another session than this one,
  ///   or `CancellationError` when the task is cancelled.
  public func token(replacing refused: AuthToken) async throws -> AuthToken {
    try Task.checkCancellation()
    guard let current = try token() else { throw AuthSessionError.signedOut }
    if current != refused {
      guard replaced.contains(refused) else { throw AuthSessionError.ended }
      // Another caller has refreshed it already.
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
    let cancel = spawn { [refresh, weak self] in
      let answer: Answer
      do {
        answer = .success(try await refresh(refused))
      } catch let error as AuthSessionError {
        answer = .failure(error)
      } catch {
        answer = .failure(.refreshFailed(Self.reason(of: error, hiding: refused)))
      }
      await self?.land(id, in: epoch, answer)
    }
    flight?.cancel = cancel
  }

  /// Takes what a refresh brought; checking the epoch and storing are one step without an `await`.
  private func land(_ id: Int, in epoch: Int, _ answer: Answer) {
    guard epoch == self.epoch, let flight, flight.id == id else { return finish(id) }
    self.flight = nil
    var answer = answer
    switch answer {
    case .success(var token):
      token.account = flight.refused.account
      answer = .success(token)
      replaced.append(flight.refused)
      replaced.removeFirst(max(0, replaced.count - Self.replacedLimit))
      current = token
      do {
        try store.save(token)
      } catch {
        onStoreFailure(error)
      }
    case .failure(.refused):
      endSession()
      current = .some(nil)
      do {
        try store.remove()
      } catch {
        onStoreFailure(error)
      }
    case .failure:
      break
    }
    for waiter in flight.waiters { waiter.resume(returning: answer) }
    for end in flight.ends { end.resume() }
  }

  /// Cuts the present session off from what still comes; returns the refresh that it leaves.
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

  /// More than are refreshed while one request waits; older ones count as of another session.
  private static let replacedLimit = 16

  /// Why a refresh failed, without what the server wrote: that may be the new tokens.
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
