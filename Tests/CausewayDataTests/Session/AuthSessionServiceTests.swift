import CausewayData
import Synchronization
import TestSupport
import Testing

/// A server that gives token after token, when its gate lets it.
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

  @Test func `a caller who comes late with the old token gets the new one without a refresh`()
    async throws
  {
    let issuer = Issuer { [new] _ in new }
    issuer.gate.open()
    let session = makeSession(issuer, store: MemoryTokenStore(old))
    #expect(try await session.token(replacing: old) == new)
    #expect(try await session.token(replacing: old) == new)
    #expect(issuer.asked.all.count == 1)
  }

  @Test func `a refresh that ends after the logout stores nothing`() async throws {
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

  @Test func `a refresh of the former account does not reach the next one`() async throws {
    let issuer = Issuer { [new] _ in new }
    let store = MemoryTokenStore(old)
    let session = makeSession(issuer, store: store)
    let caller = Task { try await session.token(replacing: old) }
    await issuer.asked.wait(for: 1)
    let other = AuthToken(access: "other")
    try await session.signIn(other)
    await #expect(throws: AuthSessionError.ended) { try await caller.value }
    issuer.gate.open()
    try await session.signOut()
    try await session.signIn(other)
    #expect(try await session.token() == other)
    #expect(store.load() == other)
  }

  @Test func `a caller who is cancelled does not cancel the refresh of the others`() async throws {
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

  @Test func `a refresh that fails for now keeps the session, and the next one is tried`()
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

  @Test func `a refused refresh ends the session`() async throws {
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

  @Test func `a token that cannot be stored is reported, and the session goes on`() async throws {
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

  @Test func `a logout of the account signs the token's session out`() async throws {
    let store = MemoryTokenStore()
    let auth = AuthSessionService(store: store) { [new] _ in new }
    let session = SessionService()
    session.add(auth.participant)
    try await auth.signIn(old)
    try await session.signIn("ada")
    #expect(store.load() == old)
    try await session.logout()
    #expect(store.load() == nil)
    #expect(try await auth.token() == nil)
  }
}
