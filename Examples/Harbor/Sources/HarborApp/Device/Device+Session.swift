import CausewayData
import Foundation
import HarborDomain

/// Signing in and out.
extension Device {
  /// Signs in with an existing account.
  func signIn(_ credentials: Credentials) async throws {
    try await begin(credentials, at: "/tokens")
  }

  /// Makes an account and signs in.
  func signUp(_ credentials: Credentials) async throws {
    try await begin(credentials, at: "/accounts")
  }

  private func begin(_ credentials: Credentials, at path: NetworkPath) async throws {
    var endpoint = Endpoint<SignedIn>(.post, path, body: credentials)
    endpoint.request.isAuthorized = false
    try await begin { [network, endpoint] in try await network.value(for: endpoint) }
  }

  /// Signs in with the account of this machine.
  func signInLocally() async throws {
    guard let localTokens = environment.localTokens else { return }
    try await begin { try JSONDecoder().decode(SignedIn.self, from: await localTokens()) }
  }

  /// Reads the server's answer, and then begins the session.
  ///
  /// Other changes can run during the read.
  private func begin(_ read: @escaping @Sendable () async throws -> SignedIn) async throws {
    let ticket = session.current
    try await request { [self] in
      let answer = try await read()
      try await inOrder { [self] in try await begin(answer, after: ticket) }
    }
  }

  /// - Parameter ticket: The session when the sign-in began.
  private func begin(_ answer: SignedIn, after ticket: SessionTicket?) async throws {
    let account = AccountID(answer.account)
    if let current = session.current, current != ticket {
      // Another page has signed in meanwhile. Its session may have changes that are not sent yet.
      revoke(answer.tokens)
      guard current.account == account else { throw SignInError.otherAccount }
      return
    }
    await endAccount()
    do {
      try await startSession(with: answer, as: account)
    } catch {
      // A session can have begun in spite of the error, for example if its name was not stored. Its
      // account is then shown.
      if let left = session.current { await beginAccount(left.account) }
      throw error
    }
    await beginAccount(account)
  }

  /// Replaces the session, or continues the account's session with new tokens.
  private func startSession(with answer: SignedIn, as account: AccountID) async throws {
    // A session of the same account continues, because it may have unsent changes.
    let continues =
      session.current?.account == account
      ? try await auth.renew(answer.tokens, as: account) : false
    if !continues {
      // A removal that has failed is repeated first, because it would also remove the new token.
      // The session of another account ends below. The unsent changes of that account stay.
      if session.current == nil { try await session.logout() }
      // The token comes before the session, because the requests of the session need it.
      try await auth.signIn(answer.tokens, as: account)
    }
    do {
      try await session.signIn(account)
    } catch {
      try? await auth.signOut()
      throw error
    }
    if !answer.name.isEmpty {
      try await names.remember(PersonName(stored: answer.name), in: Self.accountKey)
    }
  }

  /// Ends the session and removes the account's data, with or without a connection.
  ///
  /// - Throws: The failure of the removal. ``accountStates`` contains the failure too, because the
  ///   sign-out ends the page that has called this.
  func signOut() async throws {
    let ticket = session.current
    try await inOrderWithoutReads { [self] in
      // Another page may have signed out, and then in again, meanwhile.
      guard session.current == ticket else { return }
      let tokens = try? await auth.token()
      var problem: (any Error)?
      do {
        // The session ends before the pages show it. So the program cannot end between the two and
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

  /// Removes the unsent changes of accounts that are not signed in.
  func removeUnsent() async throws {
    try await inOrder { [self] in
      for account in try await outbox.unsentCounts().keys {
        try await outbox.removeData(of: account)
      }
      await publishUnsent()
    }
  }

  /// Publishes the number of changes that accounts have left here without a sign-out.
  func publishUnsent() async {
    // After a failure, the pages do not offer to remove them.
    let unsent = (try? await outbox.unsentCounts().values.reduce(0, +)) ?? 0
    accountStates.update { $0.unsent = unsent }
  }

  /// Asks the server to remove tokens that do not belong to the current session, without waiting.
  ///
  /// Without a connection, the tokens stay valid until they expire.
  private func revoke(_ tokens: AuthToken) {
    var request = NetworkRequest(.delete, "/tokens")
    request.timeout = .seconds(3)
    request.isAuthorized = false
    request.headers["Authorization"] = "Bearer \(tokens.access)"
    Task { [self, request] in
      try? await self.request { [network] in _ = try await network.response(for: request) }
    }
  }

  /// The name of the account; `nil` for the account of this machine.
  ///
  /// It is stored with the names of the browsers. A sign-out removes them from the database's file.
  var accountName: PersonName? { names.latest(in: Self.accountKey) }

  private static let accountKey = "account"

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
  func signIn(_ credentials: Credentials) async throws { try await device.signIn(credentials) }
  func signUp(_ credentials: Credentials) async throws { try await device.signUp(credentials) }
  func signInLocally() async throws { try await device.signInLocally() }
  func signOut() async throws { try await device.signOut() }
  func removeUnsent() async throws { try await device.removeUnsent() }
}

/// The reason why the device refuses the server's answer to a sign-in.
enum SignInError: Error, CustomStringConvertible {
  /// Another page has signed in with another account meanwhile.
  case otherAccount

  var description: String {
    "Another page has signed in with another account meanwhile. Sign out there first."
  }
}

extension AuthSessionService {
  /// Replaces the token of the account's session, unless the server has refused the old token.
  ///
  /// - Returns: Whether the session continues. If not, it has ended.
  fileprivate func renew(
    _ token: AuthToken, as account: AccountID
  ) throws(AuthSessionError) -> Bool {
    // There is no `await` between the check and the change, so no refusal comes between them.
    guard try self.token() != nil else { return false }
    try signIn(token, as: account)
    return true
  }
}

/// Requests of new access tokens.
enum Tokens {
  static func refreshed(
    _ token: AuthToken, by network: any NetworkService
  ) async throws -> AuthToken {
    var endpoint = Endpoint<AuthToken>(
      .post, "/tokens/refresh", body: ["refresh_token": token.refresh ?? ""])
    endpoint.request.isAuthorized = false
    return try await network.value(for: endpoint)
  }
}
