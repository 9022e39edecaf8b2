package import CausewayData
import CausewaySyncServer
import CausewayWeb
public import Foundation
import HarborAccounts
public import HarborDomain

/// Sign-up, sign-in, refresh and sign-out.
extension Backend {
  func serveAccounts() {
    server.post("/accounts", body: Credentials.self) { [self] request, credentials in
      try await signUp(credentials, from: request.remoteNetwork, signedIn)
    }
    server.post("/tokens", body: Credentials.self) { [self] request, credentials in
      try await signIn(credentials, from: request.remoteNetwork, signedIn)
    }
    server.post("/tokens/refresh", body: Refresh.self) { [self] _, refresh in
      try await self.refresh(refresh.refresh_token)
    }
    server.delete("/tokens") { [self] request in
      let identity = try await identity(of: request)
      try await store.write { try DeviceTokens.remove(device: identity.device, in: $0) }
      return .empty()
    }
  }

  struct Refresh: Decodable, Sendable { var refresh_token: String }

  /// The account of a request.
  ///
  /// - Throws: A `Problem` with status 401 without a valid access token.
  func identity(of request: Request) async throws -> Identity {
    let known = try await DeviceTokens.known(of: request, at: now(), in: store)
    return Identity(account: known.account, device: known.device)
  }

  /// Makes an account, and begins its session in the same transaction.
  ///
  /// The transaction also makes it a member of the group of its invitation. So nobody can make an
  /// account with an invitation that has ended.
  ///
  /// - Parameters:
  ///   - network: The network of the person's address, for the limit of attempts.
  ///   - begin: Begins the session, and returns what the caller needs.
  func signUp<Session: Sendable>(
    _ credentials: Credentials, from network: String,
    _ begin: @escaping @Sendable (NamedAccount, any WriteTransaction) throws -> Session
  ) async throws -> Session {
    let invitation = credentials.invitation.flatMap { $0.isEmpty ? nil : $0 }
    switch signUp {
    case .open: break
    case .invitation where invitation != nil: break
    case .invitation:
      throw Problem(
        .forbidden, code: "invitation-needed",
        detail: "A new account needs an invitation. Ask a member of a group for one.")
    case .closed:
      throw Problem(
        .forbidden, code: "sign-up-closed",
        detail: "There are no new accounts here. Ask the people who run the server.")
    }
    try credentials.checkPassphrase()
    let rule = try credentials.newName()
    let name = rule.name
    try credentials.checkNewPassphrase()
    try rates.attempts.countSignUp(from: network)
    let secret = try await passphrases.hash(credentials.passphrase)
    let now = now()
    return try await store.write { [self] transaction in
      // The invitation is checked before the name, so nobody learns the names of accounts without
      // an invitation.
      let group = try invitation.map { try Invitations.group(of: $0, at: now, in: transaction) }
      do {
        if let group {
          try rule.check(for: nil, at: .group(group.id), in: transaction)
        } else {
          try rule.check(for: nil, in: transaction)
        }
      } catch let refusal as Refusal {
        throw Problem(.conflict, code: "name-taken", detail: refusal.description)
      }
      try quotas.check(
        .accounts, rows: "SELECT count(*) FROM account", "accounts", in: transaction)
      let id = Secret.makeID(random)
      try transaction.execute(
        """
        INSERT INTO account (id, key, name, secret, created)
        VALUES (\(id), \(name.key), \(name.text), \(secret), \(now.timeIntervalSince1970))
        """)
      try NameLooks.store(rule.looks, of: id, in: transaction)
      if let group { try join(group, as: id, in: transaction) }
      return try begin(NamedAccount(id: id, name: name.text), transaction)
    }
  }

  /// Checks the passphrase of an account, and begins a session.
  ///
  /// - Parameters:
  ///   - network: The network of the person's address, for the limit of attempts.
  ///   - begin: Begins the session, and returns what the caller needs.
  func signIn<Session: Sendable>(
    _ credentials: Credentials, from network: String,
    _ begin: @escaping @Sendable (NamedAccount, any WriteTransaction) throws -> Session
  ) async throws -> Session {
    do {
      try credentials.checkPassphrase()
      let name = try credentials.knownName()
      let account = try await verified(
        credentials.passphrase, as: name.key, from: network, where: "key = \(name.key)",
        else: Credentials.wrong)
      return try await store.write { transaction in
        try account.checkSecret(in: transaction)
        return try begin(account, transaction)
      }
    } catch let problem as Problem {
      note(.signInRefused(network: network, code: problem.code))
      throw problem
    }
  }

  /// The account that a condition selects, after its passphrase was checked.
  ///
  /// A transaction that relies on it calls ``NamedAccount/checkSecret(in:)``.
  ///
  /// - Parameters:
  ///   - key: The key of the limit for attempts.
  ///   - detail: The sentence for a wrong passphrase.
  func verified(
    _ passphrase: String, as key: String, from network: String, where condition: SQL,
    else detail: String
  ) async throws -> NamedAccount {
    try rates.attempts.countSignIn(as: key, from: network)
    try await Task.sleep(for: rates.attempts.pause(beforeAttemptWith: key))
    let query: SQL = "SELECT id, name, secret FROM account WHERE \(condition)"
    let account = try await store.read { try $0.row(query, as: NamedAccount.self) }
    guard try await passphrases.matches(passphrase, account?.secret), let account else {
      throw Problem(.forbidden, code: "wrong-passphrase", detail: detail)
    }
    rates.attempts.forget(key)
    return account
  }

  /// Makes the tokens of a device that signs in.
  private func signedIn(
    _ account: NamedAccount, in transaction: any WriteTransaction
  ) throws -> SignedIn {
    SignedIn(
      account: account.id, name: account.name,
      tokens: try DeviceTokens.make(
        for: account.id, at: now(), limit: quotas[.devices], random, in: transaction))
  }

  /// Makes new tokens for a device.
  private func refresh(_ secret: String) async throws -> DeviceTokens.Pair {
    let now = now()
    let pair = try await store.write { [random] transaction in
      try DeviceTokens.refresh(secret, at: now, random, in: transaction)
    }
    guard let pair else {
      throw Problem(
        .unauthorized, code: "invalid_grant", detail: "This session has ended. Sign in again.")
    }
    return pair
  }

  /// The account of this machine, which needs no passphrase, with a sample group at first use.
  ///
  /// Only code in the same process can call this.
  ///
  /// - Parameter sample: The activities of the new group.
  public func localTokens(sample: SampleBoard?) async throws -> Data {
    try await makeLocalAccount(sample: sample)
    return try await store.write { [self] transaction in
      let account = NamedAccount(id: Self.localAccount, name: "")
      return try JSONEncoder().encode(signedIn(account, in: transaction))
    }
  }

  /// The id of the account of this machine.
  package static let localAccount = "local"

  /// Makes the account of this machine; returns false if it exists.
  @discardableResult
  static func makeLocalAccount(at now: Date, in transaction: any WriteTransaction) throws -> Bool {
    try transaction.executeAndCount(
      """
      INSERT INTO account (id, key, name, secret, created)
      VALUES (\(localAccount), '', '', NULL, \(now.timeIntervalSince1970)) ON CONFLICT DO NOTHING
      """) == 1
  }
}

/// An account with its name, which is empty for the account of this machine.
package struct NamedAccount: Decodable, Sendable {
  package var id, name: String
  /// The hash of the passphrase that was checked; `nil` if none was.
  var secret: String?

  package init(id: String, name: String) { (self.id, self.name) = (id, name) }

  /// Refuses a passphrase that was replaced, or whose account was removed, after it was checked.
  ///
  /// Otherwise a session could begin with a stolen passphrase while its owner replaces it.
  package func checkSecret(in transaction: any ReadTransaction) throws {
    guard let secret else { return }
    let current: SQL = "SELECT 1 FROM account WHERE id = \(id) AND secret = \(secret)"
    guard try transaction.row(current, as: Int.self) == nil else { return }
    throw Problem(
      .forbidden, code: "wrong-passphrase",
      detail: "The passphrase of this account was replaced. Use the new one.")
  }
}

/// The answer to a sign-in.
struct SignedIn: Codable, Sendable {
  var account, name: String
  var tokens: DeviceTokens.Pair
}

extension Credentials {
  func checkPassphrase(shortest: Int = 0) throws(Problem) {
    try Passphrases.check(passphrase, shortest: shortest, longest: Credentials.longest)
  }

  func checkNewPassphrase() throws(Problem) {
    try checkPassphrase(shortest: Credentials.shortest)
  }

  /// The name of a new account.
  fileprivate func newName() throws -> NameRule {
    do {
      return try NameRule(name)
    } catch let error as PersonNameProblem {
      throw Problem(.unprocessableContent, code: "bad-name", detail: "\(error)")
    }
  }

  /// The name of an existing account, which may be older than the rules for new names.
  fileprivate func knownName() throws(Problem) -> PersonName {
    guard let name = PersonName(existing: name) else {
      throw Problem(
        .unprocessableContent, code: "bad-name", detail: "Type the name of your account.")
    }
    return name
  }
}
