import CausewayData
import Synchronization
import TestSupport
import Testing

/// A server that returns a new token each time its gate opens.
private final class Issuer: Sendable {
  let gate = Gate()
  let asked = Log<AuthToken>()
  private let answer: @Sendable (AuthToken) throws -> AuthToken

  init(_ answer: @escaping @Sendable (AuthToken) throws -> AuthToken) { self.answer = answer }

  @concurrent func refresh(_ token: AuthToken) async throws -> AuthToken {
    asked.append(token)
    await gate.waitUncancellably()
    return try answer(token)
  }
}

private struct Offline: Error {}

@Suite(.timeLimit(.minutes(10)))
struct AuthSessionServiceTests {
  private let old = AuthToken(access: "old", refresh: "1")
  private let new = AuthToken(access: "new", refresh: "2")

  private func makeSession(
    _ issuer: Issuer, store: any TokenStore
  ) -> AuthSessionService {
    AuthSessionService(store: store) { try await issuer.refresh($0) }
  }

  @Test func `many callers with the same refused token cause one refresh`() async throws {
    let issuer = Issuer { [new] _ in new }
    let store = MemoryTokenStore(old)
    let session = makeSession(issuer, store: store)
    let callers = (0..<50).map { _ in Task { try await session.token(replacing: old) } }
    await issuer.asked.wait(for: 1)
    issuer.gate.open()
    for caller in callers { #expect(try await caller.value == new) }
    #expect(issuer.asked.all == [old])
    #expect(store.load() == new)
  }

  @Test func `a late caller with the old token gets the new one without a refresh`() async throws {
    let issuer = Issuer { [new] _ in new }
    issuer.gate.open()
    let session = makeSession(issuer, store: MemoryTokenStore(old))
    #expect(try await session.token(replacing: old) == new)
    #expect(try await session.token(replacing: old) == new)
    #expect(issuer.asked.all.count == 1)
  }

  @Test func `a refresh that finishes after the logout stores nothing`() async throws {
    let issuer = Issuer { [new] _ in new }
    let store = MemoryTokenStore(old)
    let session = makeSession(issuer, store: store)
    let caller = Task { try await session.token(replacing: old) }
    await issuer.asked.wait(for: 1)
    let logout = Task { try await session.signOut() }
    await #expect(throws: AuthSessionError.ended) { try await caller.value }
    #expect(store.load() == nil)
    issuer.gate.open()
    try await logout.value
    #expect(store.load() == nil)
    #expect(try await session.token() == nil)
  }

  @Test func `a refresh of the previous account does not affect the next account`() async throws {
    let issuer = Issuer { [new] _ in new }
    let store = MemoryTokenStore(old)
    let refreshes = Log<Task<Void, Never>>()
    let session = AuthSessionService(
      store: store, onStoreFailure: { _ in },
      spawn: { work in
        refreshes.append(Task { await work() })
        return {}
      }, refresh: { try await issuer.refresh($0) })
    let caller = Task { try await session.token(replacing: old) }
    await issuer.asked.wait(for: 1)
    let other = AuthToken(access: "other", account: "bob")
    try await session.signIn(other, as: "bob")
    await #expect(throws: AuthSessionError.ended) { try await caller.value }
    issuer.gate.open()
    for refresh in refreshes.all { await refresh.value }
    #expect(refreshes.all.count == 1)
    #expect(try await session.token() == other)
    #expect(store.load() == other)
  }

  @Test func `a late rejected request of the previous account gets no token of the next account`()
    async throws
  {
    let store = MemoryTokenStore()
    let session = AuthSessionService(store: store) { [new] _ in new }
    try await session.signIn(old, as: "ada")
    let sent = try #require(try await session.token())
    let renewed = try await session.token(replacing: sent)
    #expect(try await session.token(replacing: sent) == renewed)
    try await session.signIn(AuthToken(access: "other"), as: "bob")
    for late in [sent, renewed] {
      await #expect(throws: AuthSessionError.ended) { try await session.token(replacing: late) }
    }
    #expect(store.load()?.access == "other")
  }

  @Test func `the error of a failed refresh does not contain the server's response`() async throws {
    let session = AuthSessionService(store: MemoryTokenStore(old)) { token in
      try JSONCoding.standard.decode(
        AuthToken.self, from: Array(#"{"access": 7, "refresh": "s3cret"}"#.utf8))
    }
    let error = await #expect(throws: AuthSessionError.self) {
      try await session.token(replacing: old)
    }
    guard case .refreshFailed(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("at access"))
    #expect(!reason.contains("s3cret"))
  }

  @Test func `the error of a failed refresh does not contain the token`() async throws {
    let token = AuthToken(access: "s3cret", refresh: "hidden")
    let session = AuthSessionService(store: MemoryTokenStore(token)) { token in
      throw NetworkError(.other, message: "no such token: s3cret, hidden")
    }
    let error = await #expect(throws: AuthSessionError.self) {
      try await session.token(replacing: token)
    }
    #expect(error?.description.contains("no such token: …, …") == true)
  }

  @Test func `a cancelled caller does not cancel the refresh for other callers`() async throws {
    let issuer = Issuer { [new] _ in new }
    let session = makeSession(issuer, store: MemoryTokenStore(old))
    let first = Task { try await session.token(replacing: old) }
    await issuer.asked.wait(for: 1)
    let second = Task { try await session.token(replacing: old) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    issuer.gate.open()
    #expect(try await second.value == new)
    #expect(issuer.asked.all.count == 1)
  }

  @Test func `a transient refresh failure keeps the session, and the next refresh is tried`()
    async throws
  {
    let failures = Mutex(1)
    let issuer = Issuer { [new] _ in
      try failures.withLock { failures in
        failures -= 1
        if failures >= 0 { throw Offline() }
      }
      return new
    }
    issuer.gate.open()
    let store = MemoryTokenStore(old)
    let session = makeSession(issuer, store: store)
    await #expect(throws: AuthSessionError.refreshFailed("Offline()")) {
      try await session.token(replacing: old)
    }
    #expect(store.load() == old)
    #expect(try await session.token(replacing: old) == new)
  }

  @Test func `a rejected refresh ends the session`() async throws {
    let issuer = Issuer { _ in throw AuthSessionError.refused("revoked") }
    issuer.gate.open()
    let store = MemoryTokenStore(old)
    let session = makeSession(issuer, store: store)
    await #expect(throws: AuthSessionError.refused("revoked")) {
      try await session.token(replacing: old)
    }
    #expect(store.load() == nil)
    await #expect(throws: AuthSessionError.signedOut) { try await session.token(replacing: old) }
    #expect(issuer.asked.all.count == 1)
  }

  @Test func `a token that cannot be stored is reported, and the session continues`() async throws {
    struct FullStore: TokenStore {
      let token: AuthToken
      func load() -> AuthToken? { token }
      func save(_ token: AuthToken) throws(TokenStoreError) {
        throw .system(path: "token", reason: "full")
      }
      func remove() {}
    }
    let reports = Log<TokenStoreError>()
    let session = AuthSessionService(
      store: FullStore(token: old), onStoreFailure: { reports.append($0) },
      refresh: { [new] _ in new })
    #expect(try await session.token(replacing: old) == new)
    #expect(try await session.token() == new)
    #expect(reports.all == [.system(path: "token", reason: "full")])
  }

  @Test func `a logout of the account ends the token's session`() async throws {
    let store = MemoryTokenStore()
    let auth = AuthSessionService(store: store) { [new] _ in new }
    let session = SessionService()
    session.add(auth.participant)
    try await auth.signIn(old, as: "ada")
    try await session.signIn("ada")
    #expect(store.load()?.access == "old")
    try await session.logout()
    #expect(store.load() == nil)
    #expect(try await auth.token() == nil)
  }
}
