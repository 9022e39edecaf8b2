import CausewayData
import CausewaySQLite
import CausewaySimulation
import CausewayWeb
import CausewayWebSimulation
import Foundation
import HarborAccounts
import HarborDomain

@testable import HarborBackend

/// Harbor's backend on a node, with two accounts that share a group.
struct HarborBackendNode: Sendable {
  static let group = "6e0f5e2a-1f1c-4c7e-9a51-8d6a3b0c2f11"
  /// A group that only Ada belongs to at first.
  static let crew = "0b7f6a5c-3c58-4d0a-8f0e-52a9c1d7e604"
  static let names = ["Ada", "Bob"]
  private let backend: Backend
  private let store: SQLiteService
  /// The ids of the accounts by name.
  private(set) var accounts: [String: String] = [:]

  init(_ node: NodeContext) async throws {
    let store = try await node.database("server.sqlite", migrations: BackendMigrations.all)
    self.store = store
    backend = Backend(
      store: store, configuration: WebServerConfiguration(), now: { node.date },
      random: { node.random() }, passphraseCost: 1)
    try await makeAccounts()
    node.serve(backend.server)
  }

  static func credentials(_ name: String) -> Credentials {
    Credentials(name: name, passphrase: "correct horse battery")
  }

  /// Makes the accounts and the group; each step may have happened before a crash.
  private mutating func makeAccounts() async throws {
    var tokens: [String] = []
    for name in Self.names {
      let body = Self.credentials(name)
      var answer = await post("/accounts", body)
      if answer.status == 409 { answer = await post("/tokens", body) }
      let signedIn = try JSONDecoder().decode(SignedIn.self, from: answer.data)
      accounts[name] = signedIn.account
      tokens.append(signedIn.tokens.access_token)
    }
    let found = [(Self.group, "Club"), (Self.crew, "Crew")].map { id, name in
      SentChange(key: .init(rawValue: id), mutation: GroupMutation.found(.init(id: id, name: name)))
    }
    _ = await post("/accounts/\(accounts["Ada"] ?? "")/groups/changes", found, tokens[0])
    let answer = await post("/groups/\(Self.group)/invitations", [String](), tokens[0])
    let invitation = try JSONDecoder().decode(Backend.Invitation.self, from: answer.data)
    _ = await post("/invitations/accept", invitation, tokens[1])
  }

  private func post(
    _ path: String, _ body: some Encodable, _ token: String? = nil
  ) async -> (status: Int, data: Data) {
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    headers["Authorization"] = token.map { "Bearer \($0)" }
    let data = (try? JSONEncoder().encode(body)) ?? Data()
    let answer = await backend.server.respond(to: Request(.post, path, headers: headers)) { _ in
      data
    }
    return (answer.status.code, Data((try? await answer.bytes) ?? []))
  }

  /// The activities of a group, in the order of the board.
  func activities(in group: String) async throws -> [ActivityRecord] {
    try await records("activities", .group(group))
  }

  /// The people of the shared group who have a picture.
  var people: [PersonRecord] {
    get async throws { try await records("people", .group(Self.group)) }
  }

  func links(of account: String) async throws -> [LinkRecord] {
    try await records("links", .account(account))
  }

  func groups(of account: String) async throws -> [GroupRecord] {
    try await records("groups", .account(account))
  }

  /// The records of a collection, by id.
  private func records<Record: Decodable & Identifiable>(
    _ collection: String, _ place: Place
  ) async throws -> [Record] where Record.ID == String {
    let bodies = try await store.read { transaction in
      try transaction.rows(
        """
        SELECT body FROM record WHERE scope = \(place.scope)
        AND collection = \(collection) AND body IS NOT NULL
        """, as: String.self)
    }
    return try bodies.map { try JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
      .sorted { $0.id < $1.id }
  }

  /// Whether an account is a member of a group.
  func isMember(_ account: String, of group: String) async throws -> Bool {
    try await store.read { transaction in
      try transaction.row(
        """
        SELECT 1 FROM member WHERE scope = \(Place.group(group).scope) AND account = \(account)
        """, as: Int.self) != nil
    }
  }
}
