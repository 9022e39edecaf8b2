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
    try await begin(try await network.value(for: endpoint))
  }

  /// Signs in with the account of this machine.
  func signInLocally() async throws {
    guard let localTokens = environment.localTokens else { return }
    try await begin(JSONDecoder().decode(SignedIn.self, from: try await localTokens()))
  }

  private func begin(_ answer: SignedIn) async throws {
    await endAccount()
    // The token comes first, because the requests of the session need it.
    try await auth.signIn(answer.tokens, as: AccountID(answer.account))
    try await session.signIn(AccountID(answer.account))
    if !answer.name.isEmpty {
      try await names.remember(PersonName(stored: answer.name), in: Self.accountKey)
    }
    await beginAccount(AccountID(answer.account))
  }

  /// Ends the session and removes the account's data, with or without a connection.
  func signOut() async throws {
    // The server removes the tokens. Without a connection, they stay valid until they expire.
    var request = NetworkRequest(.delete, "/tokens")
    request.timeout = .seconds(3)
    _ = try? await network.response(for: request)
    await endAccount()
    try await session.logout()
    try await outbox.persistence.eraseDeleted()
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
