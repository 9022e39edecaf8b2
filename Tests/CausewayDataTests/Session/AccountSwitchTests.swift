import CausewayData
import Synchronization
import Testing

/// A store that cannot delete while it is locked.
private final class LockableStore: TokenStore {
  let isLocked = Mutex(false)
  private let memory: MemoryTokenStore

  init(_ token: AuthToken? = nil) { memory = MemoryTokenStore(token) }

  func load() -> AuthToken? { memory.load() }
  func save(_ token: AuthToken) { memory.save(token) }
  func remove() throws(TokenStoreError) {
    if isLocked.withLock(\.self) { throw .system(path: "token", reason: "read-only") }
    memory.remove()
  }
}

private struct DiskFull: Error {}

/// Which token is removed and which is kept when the account changes.
@Suite(.timeLimit(.minutes(10)))
struct AccountSwitchTests {
  private let adas = AuthToken(access: "ada's")
  private let bobs = AuthToken(access: "bob's")

  private func make(
    _ store: any TokenStore, before participants: [SessionParticipant] = []
  ) -> (AuthSessionService, SessionService) {
    let auth = AuthSessionService(store: store) { _ in throw DiskFull() }
    let session = SessionService()
    for participant in participants { session.add(participant) }
    session.add(auth.participant)
    return (auth, session)
  }

  @Test func `signing in while another account is signed in keeps the new token`() async throws {
    let store = MemoryTokenStore()
    let (auth, session) = make(store)
    try await auth.signIn(adas, as: "ada")
    try await session.signIn("ada")
    #expect(store.load()?.account == "ada")
    try await auth.signIn(bobs, as: "bob")
    try await session.signIn("bob")
    #expect(try await auth.token()?.access == "bob's")
    #expect(store.load()?.account == "bob")
    try await session.logout()
    #expect(store.load() == nil)
  }

  @Test func `signing in after a failed logout keeps the new token`() async throws {
    let isFull = Mutex(true)
    let store = MemoryTokenStore()
    let (auth, session) = make(
      store,
      before: [
        SessionParticipant("pictures") { _ in if isFull.withLock(\.self) { throw DiskFull() } }
      ])
    isFull.withLock { $0 = false }
    try await auth.signIn(adas, as: "ada")
    try await session.signIn("ada")
    isFull.withLock { $0 = true }
    await #expect(throws: SessionError.self) { try await session.logout() }
    #expect(store.load() == nil)
    isFull.withLock { $0 = false }
    try await auth.signIn(bobs, as: "bob")
    try await session.signIn("bob")
    #expect(store.load()?.access == "bob's")
  }

  @Test func `a retried logout deletes a token that could not be deleted before`() async throws {
    let store = LockableStore()
    let (auth, session) = make(store)
    try await auth.signIn(adas, as: "ada")
    try await session.signIn("ada")
    store.isLocked.withLock { $0 = true }
    await #expect(throws: SessionError.self) { try await session.logout() }
    #expect(store.load() != nil)
    store.isLocked.withLock { $0 = false }
    try await session.logout()
    #expect(store.load() == nil)
  }

  @Test(arguments: [AccountID("ada"), nil])
  func `a token left by an interrupted logout is deleted when another account signs in`(
    _ owner: AccountID?
  ) async throws {
    let store = MemoryTokenStore(AuthToken(access: "ada's", account: owner))
    let (auth, session) = make(store)
    try await session.signIn("bob")
    #expect(try await auth.token() == nil)
    #expect(store.load() == nil)
  }

  @Test func `a stored token is kept when its own account signs in at the next launch`()
    async throws
  {
    let store = MemoryTokenStore()
    do {
      let (auth, session) = make(store)
      try await auth.signIn(adas, as: "ada")
      try await session.signIn("ada")
    }
    let (auth, session) = make(store)
    try await session.signIn("ada")
    #expect(try await auth.token()?.access == "ada's")
  }

  @Test func `a refreshed token belongs to the account of the previous token`() async throws {
    let store = MemoryTokenStore()
    let auth = AuthSessionService(store: store) { _ in
      AuthToken(access: "new", account: "what the server says")
    }
    try await auth.signIn(adas, as: "ada")
    let sent = try #require(try await auth.token())
    #expect(try await auth.token(replacing: sent).account == "ada")
    #expect(store.load() == AuthToken(access: "new", account: "ada"))
  }
}
