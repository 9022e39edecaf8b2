import CausewayData
import CausewaySyncServer
import CausewayWeb
import Foundation
import HarborAccounts
import HarborBackend
import HarborDomain
import HarborFeatures
import HarborMail

/// The account of one page.
struct HostedSession: AccountServiceProtocol {
  let page: HostedPage
  let state: AccountState

  /// Yields the account now and after each change of its name and its mails.
  ///
  /// Another account has a new page.
  func accounts() -> AsyncStream<AccountState> {
    guard let profile = page.account?.profile.stream() else { return .once(state) }
    return AsyncStream { [page] in
      var iterator = profile.makeAsyncIterator()
      return await iterator.next() == nil ? nil : page.state
    }
  }

  private var backend: Backend { page.host.backend }
  private var network: String { page.session.remoteNetwork }

  func signIn(_ credentials: Credentials) async throws {
    try await page.host.signIn(backend.account(of: credentials, from: network), on: page)
  }

  func signUp(_ credentials: Credentials) async throws {
    try await page.host.signIn(backend.makeAccount(credentials, from: network), on: page)
  }

  func signInLocally() async throws {
    guard page.host.hasLocalAccount else {
      throw Problem(.forbidden, code: "no-local-account", detail: "Sign in with your account.")
    }
    try await page.host.signIn(NamedAccount(id: Backend.localAccount, name: ""), on: page)
  }

  func signOut() async throws { try await page.host.signOut(page.session.browser) }

  func changePassphrase(from old: String, to new: String) async throws {
    guard let account = state.id else { return }
    try await backend.changePassphrase(
      from: old, to: new, of: account, in: page.session.browser, from: network)
  }

  func setMail(_ address: String?, passphrase: String) async throws {
    guard let account = state.id, let mail = await page.host.mail else { return }
    let known =
      address == nil ? nil : try await backend.check(passphrase, of: account, from: network)
    try await mail.set(
      address.map { try MailAddress($0).description }, of: account, from: network,
      check: { try known?.checkSecret(in: $0) })
  }

  func choose(_ kind: MailKind, _ isWanted: Bool) async throws {
    guard let account = state.id, let notices = await page.host.notices else { return }
    try await notices.choose(kind.rawValue, isWanted, of: account, in: page.session.timeZone)
  }

  func delete(passphrase: String) async throws {
    guard let account = state.id else { return }
    try await backend.deleteAccount(account, passphrase: passphrase, from: network)
  }
}

/// The name of the person of a page.
///
/// A new name also replaces the old name everywhere in the account.
struct HostedName: NameRepositoryProtocol {
  let page: HostedPage
  let stored: BrowserName

  func remembered() async throws(ActivityError) -> PersonName? { try await stored.remembered() }

  func remember(_ name: PersonName) async throws(ActivityError) {
    if let account = page.account, let old = try await stored.remembered(), old.text != name.text {
      // This comes before the change, because the account may see the change before `rename`
      // returns.
      await account.note(name, by: page.session)
      do {
        try await storing {
          try await page.host.backend.rename(old.text, to: name.text, as: account.id)
        }
      } catch {
        await account.note(nil, by: page.session)
        throw error
      }
    }
    try await stored.remember(name)
  }
}

/// The members and invitations of a group.
struct HostedMembers: MemberListProtocol {
  let backend: Backend
  let group, account: String

  func members() -> AsyncThrowingStream<[GroupMember], any Error> {
    .rows(of: backend.members(of: group)) { $0 }
  }

  func invitations() -> AsyncThrowingStream<[GroupInvitation], any Error> {
    .rows(of: backend.invitations(to: group)) { $0 }
  }

  func makeOrganiser(_ id: String) async throws {
    try await backend.makeOrganiser(id, of: group, as: account)
  }

  func remove(_ id: String) async throws {
    try await backend.remove(member: id, from: group, as: account, removesOwn: true)
  }

  func endInvitation(_ id: String) async throws {
    try await backend.end(invitation: id, to: group, as: account)
  }
}

/// The groups of an account.
struct HostedGroups: GroupRepositoryProtocol {
  let page: HostedPage
  let backend: Backend
  let account: HostedAccount

  func groups() -> AsyncThrowingStream<[GroupRecord], any Error> {
    .rows(of: account.list.stream()) { $0 }
  }

  func found(_ name: PersonName) async throws(ActivityError) {
    let group = GroupRecord(id: UUID().uuidString.lowercased(), name: name.text)
    try await storing { try await backend.groups(of: account.id).apply(.found(group)) }
    await show(group.id)
  }

  func show(_ group: String) async { try? await page.host.show(group, on: page) }

  func leave(_ group: String) async throws(ActivityError) {
    try await storing { try await backend.groups(of: account.id).apply(.leave(id: group)) }
    try? await page.host.show(nil, on: page)
  }

  func invite(to group: String) async throws -> String {
    try await backend.invite(to: group, as: account.id)
  }

  func calendar(of group: String?) async throws -> String {
    try await backend.makeCalendar(of: group, as: account.id)
  }

  func accept(_ code: String) async throws {
    let group = try await backend.accept(code, as: account.id)
    await show(group.id)
  }
}

/// The browsers of an account.
struct HostedBrowsers: BrowserListProtocol {
  let host: PageHost
  let account: String
  /// The browser of the page.
  let browser: String

  func browsers() -> AsyncThrowingStream<[AccountBrowser], any Error> {
    .rows(of: host.browsers.browsers(of: account)) { [browser] rows in
      rows.map {
        AccountBrowser(
          id: $0.id, label: $0.label, start: $0.start, lastUse: $0.lastUse,
          isOwn: $0.id == browser)
      }
    }
  }

  func end(_ id: String) async throws { try await host.signOut(id, of: account) }
}

/// The people of a group.
struct HostedPeople: PeopleRepositoryProtocol {
  let records: HostedCollection<PersonMutation>
  let shared: SharedPeople

  func counts() -> AsyncThrowingStream<[PersonName: Int], any Error> { shared.counts() }

  func people() -> AsyncThrowingStream<[PersonRecord], any Error> { records.values { $0 } }

  /// Does nothing, because the pictures are in the database of this process.
  func prefetch(_ people: [PersonRecord]) async {}

  func setPicture(_ picture: String?, of person: PersonName) async throws(ActivityError) {
    try await storing { try await records.apply(.setPicture(name: person.text, picture: picture)) }
  }
}

/// The short links of an account.
struct HostedLinks: LinkRepositoryProtocol {
  let records: HostedCollection<LinkMutation>
  let server: URL

  func links() -> AsyncThrowingStream<[ShortLink], any Error> {
    records.values { [server] in ShortLink($0, on: server, isPending: false) }
  }

  func add(_ link: LinkRecord) async throws(ActivityError) {
    try await storing { try await records.apply(.add(link)) }
  }

  func remove(_ name: String) async throws(ActivityError) {
    try await storing { try await records.apply(.remove(id: name)) }
  }
}

/// Feedback to the people who run the server.
struct HostedFeedback: FeedbackServiceProtocol {
  let backend: Backend
  let account: String

  func send(
    _ text: String, key: IdempotencyKey, progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    try await backend.add(feedback: text, key: key.rawValue, as: account)
  }
}

/// The connection of a page to the backend of its process, which cannot be lost.
struct HostedConnection: ConnectionServiceProtocol {
  let host: PageHost

  func states() -> AsyncStream<ConnectionState> { .once(ConnectionState(phase: .upToDate)) }

  func retry() async { await host.retry() }
  func resend(_ key: String) async throws {}
  func discard(_ key: String) async throws {}
}
