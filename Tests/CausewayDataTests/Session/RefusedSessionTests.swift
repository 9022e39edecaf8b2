import CausewayData
import CausewayDataTesting
import Foundation
import TestSupport
import Testing

@testable import CausewayBasics
@testable import CausewayNetwork

/// A session ends when the server no longer accepts it, and the app is notified.
@Suite(.timeLimit(.minutes(10)))
struct RefusedSessionTests {
  private struct Unremovable: Error {}

  private func signedIn(
    _ answer: NetworkError, report: @escaping @Sendable (SessionError) -> Void = { _ in }
  ) async throws -> (SessionService, AuthSessionService, MemoryTokenStore) {
    let store = MemoryTokenStore()
    let auth = AuthSessionService(store: store) { _ in throw answer }
    let session = SessionService(report: report)
    session.follow(auth)
    try await auth.signIn(AuthToken(access: "old", refresh: "s3cret"), as: "ada")
    try await session.signIn("ada")
    return (session, auth, store)
  }

  @Test(arguments: [
    (400, #"{"error": "invalid_grant", "error_description": "s3cret"}"#),
    (400, #"{"error": "invalid_client", "error_description": "s3cret"}"#), (401, "s3cret"),
  ])
  func `a refresh that the server refuses ends the session everywhere`(
    status: Int, body: String
  ) async throws {
    let answer = NetworkError(
      .status, message: "the server answered", status: status, bodyExcerpt: body)
    let (session, auth, store) = try await signedIn(answer)
    let wiped = Log<SessionParticipant.Wipe>()
    session.add(SessionParticipant("rows") { wiped.append($0) })
    let expired = Log<AccountID>()
    session.add(
      SessionParticipant("changes", expire: { expired.append($0) }, wipe: { wiped.append($0) }))
    let (refusals, changes) = (auth.refusals(), session.changes())
    let ticket = try #require(session.current)
    let old = try #require(try await auth.token())
    let error = await #expect(throws: AuthSessionError.self) {
      try await auth.token(replacing: old)
    }
    guard case .refused(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!reason.contains("s3cret"))
    for await refusal in refusals {
      #expect(refusal.account == "ada" && refusal.reason == reason)
      break
    }
    for await change in changes where change == .signedOut("ada") { break }
    #expect(!ticket.isCurrent)
    #expect(store.load() == nil)
    await wiped.wait(for: 1)
    await expired.wait(for: 1)
    #expect(wiped.all == [.only("ada")])
    #expect(expired.all == ["ada"])
    #expect(session.current == nil)
  }

  @Test(arguments: [403, 408, 429, 500, 503])
  func `a refresh that fails with another status keeps the session`(status: Int) async throws {
    let (session, auth, store) = try await signedIn(
      NetworkError(.status, message: "later", status: status))
    let old = try #require(try await auth.token())
    let error = await #expect(throws: AuthSessionError.self) {
      try await auth.token(replacing: old)
    }
    guard case .refreshFailed? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(session.current != nil)
    #expect(store.load() == old)
  }

  private static let page = "<!DOCTYPE html><html>Sign in to the network</html>"

  @Test(arguments: [
    (400, page), (401, page), (400, ""), (400, "Bad Request"), (400, "[]"),
    (400, #"{"error": "invalid_request"}"#), (400, #"{"error": 7}"#),
  ])
  func `an answer that does not come from a token endpoint keeps the session`(
    status: Int, body: String
  ) async throws {
    let (session, auth, store) = try await signedIn(
      NetworkError(.status, message: "refused", status: status, bodyExcerpt: body))
    let old = try #require(try await auth.token())
    for _ in 0..<2 {
      let error = await #expect(throws: AuthSessionError.self) {
        try await auth.token(replacing: old)
      }
      guard case .refreshFailed? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    #expect(session.current != nil)
    #expect(store.load() == old)
  }

  @Test(arguments: [(#"{"error": "invalid_grant"}"#, true), (page, false)])
  func `a refresh whose errors hide the response ends the session only for an OAuth error`(
    body: String, ends: Bool
  ) async throws {
    let network = ScriptedNetworkService()
    var endpoint = Endpoint<AuthToken>(.post, "/token")
    endpoint.request.isAuthorized = false
    network.on(endpoint.request.method, endpoint.request.path, .status(400, body))
    let auth = AuthSessionService(store: MemoryTokenStore()) { [endpoint] _ in
      try await network.value(for: endpoint)
    }
    let old = AuthToken(access: "old")
    try await auth.signIn(old, as: "ada")
    let sent = try #require(try await auth.token())
    await #expect(throws: AuthSessionError.self) { try await auth.token(replacing: sent) }
    #expect(try await auth.token() == (ends ? nil : sent))
  }

  @Test func `a late end of a session does not end the next session`() async throws {
    let session = SessionService()
    let old = try await session.signIn("ada")
    try await session.logout()
    let next = try await session.signIn("ada")
    session.expire(old)
    #expect(next.isCurrent)
    #expect(session.current == next)
    session.expire(next)
    #expect(session.current == nil)
  }

  @Test func `an error of a removal is reported although the caller is gone`() async throws {
    let reports = Log<String>()
    let session = SessionService(account: "ada") { reports.append("\($0)") }
    session.add(SessionParticipant("rows") { _ in throw Unremovable() })
    let caller = Task { try await session.logout() }
    caller.cancel()
    _ = await caller.result
    await reports.wait(for: 1)
    #expect(reports.all.allSatisfy { $0.contains("rows (Unremovable())") })
  }

  @Test func `an error of a removal after a refusal is reported`() async throws {
    let reports = Log<String>()
    let (session, auth, _) = try await signedIn(
      NetworkError(.status, message: "revoked", status: 401)
    ) { reports.append("\($0)") }
    session.add(SessionParticipant("rows") { _ in throw Unremovable() })
    let old = try #require(try await auth.token())
    await #expect(throws: AuthSessionError.self) { try await auth.token(replacing: old) }
    await reports.wait(for: 1)
    #expect(session.current == nil)
  }

  @Test func `a token is read with the field names of OAuth`() throws {
    let json = #"{"access_token": "a", "refresh_token": "r", "expires_in": 3600, "scope": "all"}"#
    let before = Date()
    let token = try JSONDecoder().decode(AuthToken.self, from: Data(json.utf8))
    #expect(token.access == "a")
    #expect(token.refresh == "r")
    let expiry = try #require(token.expiry)
    #expect(expiry.timeIntervalSince(before) >= 3600)
    #expect(expiry.timeIntervalSinceNow <= 3600)
    // The stored form is read as before.
    let stored = try JSONDecoder().decode(AuthToken.self, from: JSONEncoder().encode(token))
    #expect(stored == token)
  }
}
