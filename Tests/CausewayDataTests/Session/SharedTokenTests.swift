import CausewayData
import Foundation
import Synchronization
import TestSupport
import Testing

/// A server whose refresh tokens may be used once: a second use ends the session.
private final class RotatingServer: Sendable {
  private struct State {
    var number = 1
    var isRevoked = false
  }

  private let state = Mutex(State())
  let asked = Log<String>()
  let gate = Gate()

  var isRevoked: Bool { state.withLock(\.isRevoked) }

  @concurrent func refresh(_ token: AuthToken) async throws -> AuthToken {
    asked.append(token.refresh ?? "")
    await gate.waitUncancellably()
    return try state.withLock { state in
      guard token.refresh == "R\(state.number)", !state.isRevoked else {
        state.isRevoked = true
        throw NetworkError(
          .status, message: "refused", status: 400, bodyExcerpt: #"{"error":"invalid_grant"}"#)
      }
      state.number += 1
      return AuthToken(access: "A\(state.number)", refresh: "R\(state.number)")
    }
  }
}

/// An app and its extension, which share the file or the store of a token.
@Suite(.timeLimit(.minutes(10)))
struct SharedTokenTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "causeway-shared-\(UUID().uuidString)")
  private var path: String { folder.appending(path: "token").path }
  private let first = AuthToken(access: "A1", refresh: "R1")

  init() throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func session(_ server: RotatingServer) -> AuthSessionService {
    AuthSessionService(store: FileTokenStore(path: path)) { try await server.refresh($0) }
  }

  @Test func `processes that refresh at the same time use one refresh`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = RotatingServer()
    let app = session(server)
    try await app.signIn(first, as: "ada")
    let others = (0..<4).map { _ in session(server) }
    let old = try #require(try await app.token())
    for other in others { #expect(try await other.token() == old) }
    let tokens = ([app] + others).map { service in
      Task { try await service.token(replacing: old) }
    }
    await server.asked.wait(for: 1)
    server.gate.open()
    for token in tokens { #expect(try await token.value.access == "A2") }
    #expect(server.asked.all == ["R1"])
    #expect(!server.isRevoked)
  }

  @Test func `a later process reads the token of an earlier process`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = RotatingServer()
    server.gate.open()
    let app = session(server)
    try await app.signIn(first, as: "ada")
    let (old, other) = (try #require(try await app.token()), session(server))
    for number in 2...5 {
      let token = try #require(try await other.token())
      #expect(try await other.token(replacing: token).access == "A\(number)")
    }
    // The token of the app is four refreshes old.
    #expect(try await app.token(replacing: old).access == "A5")
    #expect(try await app.token()?.account == "ada")
    #expect(server.asked.all == ["R1", "R2", "R3", "R4"])
  }

  @Test func `a refusal that another process caused does not end the session`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = MemoryTokenStore()
    let app = AuthSessionService(store: store) { _ in
      // The other process has been faster, and this one has already read the old token.
      store.save(AuthToken(access: "A2", refresh: "R2", account: "ada"))
      throw AuthSessionError.refused("used twice")
    }
    let session = SessionService()
    session.follow(app)
    try await app.signIn(first, as: "ada")
    let ticket = try await session.signIn("ada")
    let old = try #require(try await app.token())
    #expect(try await app.token(replacing: old).access == "A2")
    #expect(ticket.isCurrent)
  }

  @Test(arguments: [AuthToken(access: "bob's", refresh: "b", account: "bob"), nil])
  func `another process that signs out, or signs in with another account, ends the session`(
    _ left: AuthToken?
  ) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = RotatingServer()
    server.gate.open()
    let desk = try await Desk(account: nil)
    let app = session(server)
    desk.session.follow(app)
    try await app.signIn(first, as: "ada")
    try await desk.session.signIn("ada")
    try await desk.engine().perform(.write(Note(id: "1")))
    let store = FileTokenStore(path: path)
    if let left { try store.save(left) } else { try store.remove() }
    let old = try #require(try await app.token())
    let error = await #expect(throws: AuthSessionError.self) {
      try await app.token(replacing: old)
    }
    guard case .refused? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(desk.session.current == nil)
    #expect(server.asked.all.isEmpty)
    // The token of the other process stays, and the changes of this process stay too.
    #expect(try store.load() == left)
    #expect(try await desk.outbox.unsentCounts() == ["ada": 1])
  }

  @Test func `a token that could not be stored is refreshed, not replaced by an older one`()
    async throws
  {
    final class FullStore: TokenStore {
      let isFull = Mutexed(false)
      let memory = MemoryTokenStore()
      func load() -> AuthToken? { memory.load() }
      func save(_ token: AuthToken) throws(TokenStoreError) {
        if isFull.value { throw .system(path: "token", reason: "full") }
        memory.save(token)
      }
      func remove() { memory.remove() }
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    let (store, server) = (FullStore(), RotatingServer())
    server.gate.open()
    let app = AuthSessionService(store: store) { try await server.refresh($0) }
    try await app.signIn(first, as: "ada")
    store.isFull.value = true
    for number in 2...4 {
      let token = try #require(try await app.token())
      #expect(try await app.token(replacing: token).access == "A\(number)")
    }
    #expect(!server.isRevoked)
  }

  @Test func `a logout ends a wait for the lock, and the refresh of the other process too`()
    async throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = RotatingServer()
    let (app, other) = (session(server), session(server))
    try await app.signIn(first, as: "ada")
    let old = try #require(try await other.token())
    let refresh = Task { try await app.token(replacing: old) }
    await server.asked.wait(for: 1)
    let waiting = Task { try await other.token(replacing: old) }
    try await other.signOut()
    await #expect(throws: AuthSessionError.self) { try await waiting.value }
    server.gate.open()
    // The app does not store its new token after the logout.
    await #expect(throws: AuthSessionError.self) { try await refresh.value }
    #expect(try await app.token() == nil)
    #expect(try FileTokenStore(path: path).load() == nil)
  }

  @Test(arguments: ["ada", "bob"] as [AccountID])
  func `a refresh does not replace the token of another process's sign-in`(
    _ account: AccountID
  ) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = RotatingServer()
    let app = session(server)
    try await app.signIn(first, as: "ada")
    let old = try #require(try await app.token())
    let refresh = Task { try await app.token(replacing: old) }
    await server.asked.wait(for: 1)
    try await session(server).signIn(AuthToken(access: "new", refresh: "N1"), as: account)
    server.gate.open()
    let used = try? await refresh.value
    // The refresh returns the new token only if the token belongs to the same account.
    #expect(used?.access == (account == "ada" ? "new" : nil))
    let kept = try FileTokenStore(path: path).load()
    #expect(kept?.access == "new")
    #expect(kept?.account == account)
  }

  @Test(arguments: [true, false])
  func `an answer without a refresh token keeps the old one`(isNew: Bool) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = MemoryTokenStore()
    let sent = Log<String?>()
    let auth = AuthSessionService(store: store) { token in
      sent.append(token.refresh)
      return AuthToken(access: "A\(sent.all.count + 1)", refresh: isNew ? "R2" : nil)
    }
    try await auth.signIn(first, as: "ada")
    for _ in 0..<2 {
      let token = try #require(try await auth.token())
      _ = try await auth.token(replacing: token)
    }
    #expect(sent.all == ["R1", isNew ? "R2" : "R1"])
    #expect(store.load()?.refresh == (isNew ? "R2" : "R1"))
  }

  @Test(
    arguments: [
      (#"{"access_token":"a","expires_in":3599}"#, 3599),
      (#"{"access_token":"a","expires_in":"3599"}"#, 3599),
      (#"{"access_token":"a","expires_in":" 60 "}"#, 60),
      (#"{"access_token":"a","expires_in":"soon"}"#, nil),
      (#"{"access_token":"a","expires_in":null}"#, nil),
      (#"{"access_token":"a","expires_in":[1]}"#, nil),
      (#"{"access_token":"a","expires_in":"nan"}"#, nil),
    ] as [(String, Double?)])
  func `the seconds until the expiry are a number or a text`(json: String, seconds: Double?) throws
  {
    let token = try JSONDecoder().decode(AuthToken.self, from: Data(json.utf8))
    guard let seconds else {
      #expect(token.expiry == nil)
      return
    }
    let expiry = try #require(token.expiry)
    #expect(abs(expiry.timeIntervalSinceNow - seconds) < 30)
  }

  @Test(arguments: [
    "2026-11-29T10:00:00.123456789+01:00", "2026-11-29T09:00:00Z", "2026-11-29T04:30:00-04:30",
  ])
  func `an expiry is also read as RFC 3339`(_ text: String) throws {
    let json = Data(#"{"access_token":"a","expiry":"\#(text)"}"#.utf8)
    let expected = Date(timeIntervalSince1970: 1_795_942_800)
    for token in [
      try JSONDecoder().decode(AuthToken.self, from: json),
      try JSONCoding.standard.decode(AuthToken.self, from: Array(json)),
    ] {
      // Some decoders read the fraction too.
      let expiry = try #require(token.expiry)
      #expect((0..<1).contains(expiry.timeIntervalSince(expected)))
    }
  }

  @Test func `an expiry that has passed when the token arrives is ignored`() async throws {
    let late = AuthToken(access: "A1", refresh: "R", expiry: Date(timeIntervalSinceNow: -3600))
    let auth = AuthSessionService(store: MemoryTokenStore()) { _ in
      AuthToken(access: "A2", expiry: Date(timeIntervalSinceNow: -60))
    }
    try await auth.signIn(late, as: "ada")
    let token = try #require(try await auth.token())
    #expect(token.expiry == nil)
    #expect(try await auth.token(replacing: token).expiry == nil)
  }
}
