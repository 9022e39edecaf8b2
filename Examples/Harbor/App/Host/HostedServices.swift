import CausewayData
import CausewayStreams
import Foundation
import HarborBackend
import HarborDomain

/// The account of the pages of a host, for the features.
struct HostedSessions: AccountServiceProtocol {
  let host: PageHost
  /// The network of the page's browser, for the limits of attempts.
  let network: String

  func accounts() -> AsyncStream<AccountState> { host.accountStates.stream() }
  func signIn(_ credentials: Credentials) async throws {
    try await host.signIn { [network] in try await $0.account(of: credentials, from: network) }
  }
  func signUp(_ credentials: Credentials) async throws {
    try await host.signIn { [network] in
      try await $0.makeAccount(credentials, from: network)
    }
  }
  func signInLocally() async throws { try await host.signInLocally() }
  func signOut() async throws { try await host.signOut() }
}

/// The groups of an account.
struct HostedGroups: GroupRepositoryProtocol {
  let host: PageHost
  let backend: Backend
  let account: String
  let list: Published<[GroupRecord]>

  func groups() -> AsyncThrowingStream<[GroupRecord], any Error> {
    let groups = list.stream()
    return AsyncThrowingStream {
      // All iterators share the stream.
      var iterator = groups.makeAsyncIterator()
      return await iterator.next()
    }
  }

  func found(_ name: PersonName) async throws(ActivityError) {
    let group = GroupRecord(id: UUID().uuidString.lowercased(), name: name.text)
    try await storing { try await backend.groups(of: account).apply(.found(group)) }
    await host.show(group: group.id)
  }

  func show(_ group: String) async { await host.show(group: group) }

  func leave(_ group: String) async throws(ActivityError) {
    try await storing { try await backend.groups(of: account).apply(.leave(id: group)) }
    await host.show(group: nil)
  }

  func invite(to group: String) async throws -> String {
    try await backend.invite(to: group, as: account)
  }

  func accept(_ code: String) async throws {
    let group = try await backend.accept(code, as: account)
    await host.show(group: group.id)
  }
}

/// The people of a group who have pictures.
struct HostedPeople: PeopleRepositoryProtocol {
  let records: HostedCollection<PersonMutation>

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

  func states() -> AsyncStream<ConnectionState> {
    AsyncStream { continuation in
      continuation.yield(ConnectionState(phase: .upToDate))
      continuation.finish()
    }
  }

  func retry() async { await host.retry() }
  func resend(_ key: String) async throws {}
  func discard(_ key: String) async throws {}
}
