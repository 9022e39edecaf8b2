import CausewayData
import Foundation
import HarborDomain

/// Signing in and out.
extension Device {
  /// Reads tokens from the server, and begins a session with them.
  ///
  /// Other changes of the session can run during the read.
  func signIn(_ credentials: Credentials, at path: NetworkPath) async throws {
    var endpoint = Endpoint<SignedIn>(.post, path, body: credentials)
    endpoint.request.isAuthorized = false
    // The request continues if the screen is replaced: its tokens would stay valid.
    let request = Task { [login, endpoint] in try await login.value(for: endpoint) }
    let answer = try await request.value
    try await inOrder { [self] in try await begin(answer) }
  }

  private func begin(_ answer: SignedIn) async throws {
    // Another sign-in may have begun a session meanwhile.
    guard session.current == nil else { return revoke(answer.tokens) }
    let account = AccountID(answer.account)
    // A removal that has failed is repeated first, because it would also remove the new token.
    try await session.logout()
    // The token comes before the session, because the requests of the session need it.
    try await auth.signIn(answer.tokens, as: account)
    do {
      try await session.signIn(account)
    } catch {
      try? await auth.signOut()
      throw error
    }
    if !answer.name.isEmpty {
      // The session goes on without the name.
      do {
        try await names.remember(PersonName(stored: answer.name), in: Self.accountKey)
      } catch {
        environment.report(error)
      }
    }
    await beginAccount()
  }

  /// Begins a session without a server, with a group and the sample activities.
  func signInLocally() async throws {
    try await inOrder { [self] in try await beginLocally() }
  }

  private func beginLocally() async throws {
    // Another sign-in may have begun a session meanwhile.
    guard session.current == nil else { return }
    try await session.signIn(.local)
    await beginAccount()
    guard let account, account.list.isEmpty else { return }
    let group = GroupRecord(id: Self.localGroupID, name: "This device")
    try await account.groups.store(.found(group))
    let activities = account.board(of: group.id).activities
    for entry in SampleBoard(now: Date(), calendar: .current).entries {
      let activity = try await activities.create(entry.details, host: entry.host)
      for guest in entry.guests { try await activities.join(activity.id, as: guest) }
    }
    await choose(group.id, of: account)
  }

  /// Ends the session and removes the account's data, with or without a connection.
  ///
  /// - Throws: The failure of the removal. ``accountStates`` contains the failure too, because the
  ///   sign-out replaces the screen that has called this.
  func signOut() async throws {
    let ticket = session.current
    try await inOrder { [self] in
      // The session may have ended meanwhile, and another one may have begun.
      guard session.current == ticket else { return }
      let tokens = try? await auth.token()
      var problem: (any Error)?
      do {
        // The session ends before the screens show it. So the app cannot end between the two and
        // still be signed in at its next start.
        try await session.logout()
        try await outbox.persistence.eraseDeleted()
      } catch {
        problem = error
      }
      await endAccount()
      if let tokens { revoke(tokens) }
      guard let problem else { return }
      accountStates.update {
        $0.problem = "Not all data was removed from this device. \(problem)"
      }
      throw problem
    }
  }

  /// Asks the server to remove tokens that do not belong to the current session, without waiting.
  ///
  /// Without a connection, the tokens stay valid until they expire.
  private func revoke(_ tokens: AuthToken) {
    var request = NetworkRequest(.delete, "/tokens")
    request.timeout = .seconds(3)
    request.isAuthorized = false
    request.headers["Authorization"] = "Bearer \(tokens.access)"
    Task { [login, request] in _ = try? await login.response(for: request) }
  }

  /// The name of the account; `nil` for an account without a server.
  var accountName: PersonName? { names.latest(in: Self.accountKey) }

  private static let accountKey = "account"

  /// Replaces an expired token.
  static func refreshed(
    _ token: AuthToken, by login: any NetworkService
  ) async throws -> AuthToken {
    var endpoint = Endpoint<AuthToken>(
      .post, "/tokens/refresh", body: ["refresh_token": token.refresh ?? ""])
    endpoint.request.isAuthorized = false
    return try await login.value(for: endpoint)
  }

  /// The server's answer to a sign-in.
  private struct SignedIn: Decodable, Sendable {
    var account, name: String
    var tokens: AuthToken
  }
}

/// The account of a device, for the features.
struct DeviceAccount: AccountServiceProtocol {
  let device: Device

  func accounts() -> AsyncStream<AccountState> { device.accountStates.stream() }
  func signIn(_ credentials: Credentials) async throws {
    try await device.signIn(credentials, at: "/tokens")
  }
  func signUp(_ credentials: Credentials) async throws {
    try await device.signIn(credentials, at: "/accounts")
  }
  func signInLocally() async throws { try await device.signInLocally() }
  func signOut() async throws { try await device.signOut() }
}
