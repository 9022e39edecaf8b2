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
    try await inOrder { [self, endpoint] in
      try await begin(try await network.value(for: endpoint))
    }
  }

  /// Signs in with the account of this machine.
  func signInLocally() async throws {
    guard let localTokens = environment.localTokens else { return }
    try await inOrder { [self] in
      try await begin(JSONDecoder().decode(SignedIn.self, from: try await localTokens()))
    }
  }

  private func begin(_ answer: SignedIn) async throws {
    let account = AccountID(answer.account)
    // Another page may have signed in meanwhile.
    if self.account != nil { await removeAccount() }
    // The server may have just ended a session of the same account. The removal of that session's
    // data would also remove the new token, so the removal must end first.
    try await session.logout()
    // The token is stored before the session begins, because the requests of the session need the
    // token.
    try await auth.signIn(answer.tokens, as: account)
    do {
      try await session.signIn(account)
    } catch {
      try? await auth.signOut()
      throw error
    }
    if !answer.name.isEmpty {
      try await names.remember(PersonName(stored: answer.name), in: Self.accountKey)
    }
    await beginAccount(account)
  }

  /// Ends the session and removes the account's data, with or without a connection.
  ///
  /// - Throws: The failure of the removal. ``accountStates`` contains the failure too, because the
  ///   sign-out ends the page that has called this.
  func signOut() async throws {
    let ticket = session.current
    try await inOrder { [self] in
      // Another page may have signed out, and then in again, meanwhile.
      guard session.current == ticket else { return }
      await removeAccount()
      // The server removes the tokens. Without a connection, they stay valid until they expire.
      var request = NetworkRequest(.delete, "/tokens")
      request.timeout = .seconds(3)
      _ = try? await network.response(for: request)
      do {
        try await session.logout()
        try await outbox.persistence.eraseDeleted()
      } catch {
        accountStates.update {
          $0.problem = "Not all data was removed from this device. \(error)"
        }
        throw error
      }
    }
  }

  /// The name of the account; `nil` for the account of this machine.
  ///
  /// It is stored with the names of the browsers. A sign-out removes them from the database's file.
  var accountName: PersonName? { names.latest(in: Self.accountKey) }

  private static let accountKey = "account"

  /// The server's answer to a sign-in.
  private struct SignedIn: Decodable, Sendable {
    var account: String
    var name: String
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
