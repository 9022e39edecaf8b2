import CausewayData
import CausewayStreams
import Foundation
import HarborDomain

/// Signing in and out.
extension Phone {
  /// Runs work that goes on when the screen that has begun it is replaced.
  ///
  /// A new session has new screens, and the effects of the old ones are cancelled.
  private func outlivingScreens(
    _ work: @escaping @MainActor () async throws -> Void
  ) async throws {
    try await Task { try await work() }.value
  }

  /// Reads tokens from the server, and begins a session with them.
  func signIn(_ credentials: Credentials, at path: NetworkPath) async throws {
    try await outlivingScreens { [self] in try await begin(credentials, at: path) }
  }

  private func begin(_ credentials: Credentials, at path: NetworkPath) async throws {
    var endpoint = Endpoint<SignedIn>(.post, path, body: credentials)
    endpoint.request.isAuthorized = false
    let answer = try await login.value(for: endpoint)
    let account = AccountID(answer.account)
    // The token comes before the session, because the requests of the session need it.
    try await auth.signIn(answer.tokens, as: account)
    try await session.signIn(account)
    if !answer.name.isEmpty {
      try await names.remember(PersonName(stored: answer.name), in: Self.accountKey)
    }
    await begin()
  }

  /// Begins a session without a server, with a group and the sample activities.
  func signInLocally() async throws {
    try await outlivingScreens { [self] in try await beginLocally() }
  }

  private func beginLocally() async throws {
    try await session.signIn(.local)
    await begin()
    guard let account, account.list.isEmpty else { return }
    let group = GroupRecord(id: Self.localGroupID, name: "This device")
    try await account.groups.store(.found(group))
    let activities = account.board(of: group.id).activities
    for entry in SampleBoard(now: Date(), calendar: .current).entries {
      let activity = try await activities.create(entry.details, host: entry.host)
      for guest in entry.guests { try await activities.join(activity.id, as: guest) }
    }
    await show(group: group.id)
  }

  /// Ends the session and removes the account's data, with or without a connection.
  func signOut() async throws {
    // The screens follow the change of the session.
    try await outlivingScreens { [self] in
      try await session.logout()
      try await outbox.persistence.eraseDeleted()
    }
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
struct PhoneAccount: AccountServiceProtocol {
  let phone: Phone

  func accounts() -> AsyncStream<AccountState> { phone.accountStates.stream() }
  func signIn(_ credentials: Credentials) async throws {
    try await phone.signIn(credentials, at: "/tokens")
  }
  func signUp(_ credentials: Credentials) async throws {
    try await phone.signIn(credentials, at: "/accounts")
  }
  func signInLocally() async throws { try await phone.signInLocally() }
  func signOut() async throws { try await phone.signOut() }
}

/// The name of the device's person, which the boards follow everywhere.
struct PhoneName: NameRepositoryProtocol {
  let phone: Phone
  let stored: BrowserName

  func remembered() async throws(ActivityError) -> PersonName? { try await stored.remembered() }

  func remember(_ name: PersonName) async throws(ActivityError) {
    if let old = try await phone.names.remembered(in: Phone.browser), old.text != name.text {
      for people in await phone.people {
        try await people.store(.rename(from: old.text, to: name.text))
      }
    }
    try await stored.remember(name)
  }
}

/// The groups of the device's account.
struct PhoneGroups: GroupRepositoryProtocol {
  let phone: Phone
  let account: SignedInAccount

  func groups() -> AsyncThrowingStream<[GroupRecord], any Error> {
    .rows(of: account.groups.observe(orderedBy: "name, id")) { $0.map(\.record) }
  }

  func found(_ name: PersonName) async throws(ActivityError) {
    let group = GroupRecord(id: UUID().uuidString.lowercased(), name: name.text)
    try await account.groups.store(.found(group))
    await phone.show(group: group.id)
  }

  func show(_ group: String) async { await phone.show(group: group) }

  func leave(_ group: String) async throws(ActivityError) {
    try await account.groups.store(.leave(id: group))
    await phone.show(group: nil)
  }

  func invite(to group: String) async throws -> String {
    let invitation: Invitation = try await account.network.value(
      for: Endpoint(.post, "/groups/\(group)/invitations"))
    return invitation.code
  }

  func calendar(of group: String?) async throws -> String {
    guard let server = phone.environment.server, account.id != .local else {
      throw ActivityError.notStored(reason: "A calendar needs a server.")
    }
    let made: [String: String] = try await account.network.value(
      for: Endpoint(.post, "/calendars", body: ["group": group]))
    return server.appending(path: made["path"] ?? "").absoluteString
  }

  func accept(_ code: String) async throws {
    let group: GroupRecord = try await account.network.value(
      for: Endpoint(
        .post, "/invitations/accept", body: Invitation(code: code),
        idempotencyKey: IdempotencyKey()))
    // The list must contain the group before its board can be shown.
    try await account.groups.refresh()
    await phone.show(group: group.id)
  }

  private struct Invitation: Codable, Sendable {
    var code: String
  }
}

extension Phone {
  /// The people of all groups of the account.
  var people: [SyncEngine<CollectionSource<PersonMutation>>] {
    account.map { account in account.list.map { account.board(of: $0.id).people } } ?? []
  }
}
