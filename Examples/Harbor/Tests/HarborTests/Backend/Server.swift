import CausewayData
import CausewayHTTP
import CausewayWeb
import Foundation
import HarborBackend
import HarborDomain

/// The address of a running backend, and accounts that send requests to it.
struct Server: Sendable {
  let url: URL

  /// Runs a body with a backend and stops it afterwards.
  static func with(
    quotas: Quotas = Quotas(), signUp: SignUp = .open,
    now: @escaping @Sendable () -> Date = { Date() }, _ body: (Server) async throws -> Void
  ) async throws {
    try await with(TestStore.make(), quotas: quotas, signUp: signUp, now: now, body)
  }

  /// Runs a body with a backend on a store, and closes both afterwards.
  static func with(
    _ store: any PersistenceService, quotas: Quotas = Quotas(), signUp: SignUp = .open,
    now: @escaping @Sendable () -> Date = { Date() }, _ body: (Server) async throws -> Void
  ) async throws {
    var configuration = WebServerConfiguration(port: 0)
    configuration.reportError = { print("backend: \($0)") }
    configuration.limits.connections = 200
    configuration.limits.requestTimeout = .seconds(600)
    configuration.limits.transferTimeout = .seconds(600)
    // Fast hashes: these tests make many accounts.
    let backend = Backend(
      store: store, configuration: configuration, quotas: quotas, signUp: signUp, now: now,
      random: { .random(in: .min ... .max) }, passphraseCost: 1)
    do {
      let address = try await backend.start()
      try await body(Server(url: URL(string: address) ?? URL(filePath: "/")))
      await backend.stop(deadline: .seconds(5))
      try await store.close()
    } catch {
      await backend.stop(deadline: .zero)
      try? await store.close()
      throw error
    }
  }

  /// A network service without an account, which does not wait for a limit to end.
  var guest: HTTPNetworkService {
    var configuration = configuration
    configuration.retry = .never
    return HTTPNetworkService(configuration)
  }

  /// Its deadlines are so long that a sanitizer and a busy machine do not exceed them.
  private var configuration: HTTPNetworkService.Configuration {
    var configuration = HTTPNetworkService.Configuration(address: url)
    configuration.timeout = .seconds(300)
    return configuration
  }

  struct SignedIn: Decodable, Sendable {
    var account: String
    var tokens: AuthToken
  }

  /// Makes an account with a group.
  func member(_ name: String, group: String = UUID().uuidString.lowercased()) async throws
    -> Member
  {
    let answer: SignedIn = try await guest.value(
      for: Endpoint(
        .post, "/accounts", body: Credentials(name: name, passphrase: "correct horse battery")))
    let network = network(answer.tokens)
    let found = SentChange(
      key: IdempotencyKey(), mutation: GroupMutation.found(GroupRecord(id: group, name: "Club")))
    let answers: [ChangeAnswer] = try await network.value(
      for: Endpoint(.post, "/accounts/\(answer.account)/groups/changes", body: [found]))
    precondition(answers.allSatisfy { $0.refusal == nil })
    return Member(
      account: answer.account, group: group, network: network, tokens: answer.tokens)
  }

  /// A new account that has joined the group of a member.
  func joining(_ name: String, _ host: Member) async throws -> Member {
    struct Code: Codable, Sendable { var code: String }
    var member = try await self.member(name)
    let code: Code = try await host.network.value(
      for: Endpoint(.post, "/groups/\(host.group)/invitations"))
    try await member.network.call(Endpoint(.post, "/invitations/accept", body: code))
    member.group = host.group
    return member
  }

  /// Ana with a group, and Ben who has joined it.
  func club() async throws -> (ana: Member, ben: Member) {
    let ana = try await member("Ana")
    return (ana, try await joining("Ben", ana))
  }

  /// A network service that sends an access token.
  func network(_ token: AuthToken) -> HTTPNetworkService {
    var configuration = configuration
    configuration.headers["Authorization"] = "Bearer \(token.access)"
    return HTTPNetworkService(configuration)
  }
}

/// An account with its group.
struct Member: Sendable {
  var account: String
  var group: String
  var network: HTTPNetworkService
  var tokens: AuthToken

  var request: SyncRequest {
    SyncRequest(account: AccountID(account), scope: Place.group(group).scope)
  }

  var activities: CollectionSource<ActivityMutation> {
    CollectionSource("activities", on: network)
  }

  /// Sends changes of activities, each with its own key.
  func send(_ mutations: ActivityMutation...) async throws -> [ChangeAnswer] {
    try await send(mutations.map { SentChange(key: IdempotencyKey(), mutation: $0) })
  }

  /// Sends changes of activities with their keys.
  func send(_ changes: [SentChange<ActivityMutation>]) async throws -> [ChangeAnswer] {
    try await network.value(
      for: Endpoint(.post, "/groups/\(group)/activities/changes", body: changes))
  }

  /// The activities that the server has.
  func list() async throws -> [ActivityRecord] {
    try await network.value(
      for: Endpoint<CollectionPage<ActivityRecord>>(.get, "/groups/\(group)/activities")
    ).records
  }
}

/// An activity that the rules allow.
func record(
  _ title: String, id: String = UUID().uuidString, host name: String = "Ana"
) -> ActivityRecord {
  let host = PersonName(stored: name)
  return ActivityRecord(
    Activity(
      id: id,
      details: ActivityDetails(title: title, place: nil, notes: nil, start: Board.now),
      host: host, participants: [host], created: Board.now, updated: Board.now, revision: 1))
}

/// A file that the backend accepts as a picture.
enum PictureFile {
  static let png: [UInt8] =
    [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
      9, 0, 0, 0, 9,
    ] + Array(0...255)
}
