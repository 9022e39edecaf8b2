import CausewayData
import CausewaySQLite
import CausewaySimulation
import CausewayWeb
import CausewayWebSimulation
import Foundation
import HarborDomain

@testable import HarborBackend

/// Harbor's backend on a node, with two accounts that share a group.
struct HarborBackendNode: Sendable {
  static let group = "6e0f5e2a-1f1c-4c7e-9a51-8d6a3b0c2f11"
  static let names = ["Ada", "Bob"]
  private let backend: Backend
  private let store: SQLiteService
  /// The ids of the accounts by name.
  private(set) var accounts: [String: String] = [:]

  init(_ node: NodeContext) async throws {
    let store = try await node.database("server.sqlite", migrations: BackendMigrations.all)
    self.store = store
    backend = Backend(
      store: store, configuration: WebServer.Configuration(), now: { node.date },
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
    let found = SentChange(
      key: "the group", mutation: GroupMutation.found(GroupRecord(id: Self.group, name: "Club")))
    _ = await post(
      "/accounts/\(accounts["Ada"] ?? "")/groups/changes", [found], tokens[0])
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
    let answer = await backend.server.respond(to: .post, path, headers, body: data)
    return (answer.status.code, Data(answer.bytes))
  }

  /// The activities of the group, in the order of the board.
  var activities: [ActivityRecord] {
    get async throws {
      let bodies = try await store.read { transaction in
        try transaction.rows(
          """
          SELECT body FROM record WHERE scope = \(Place.group(Self.group).scope)
          AND collection = 'activities' AND body IS NOT NULL
          """, as: String.self)
      }
      return try bodies.map { try JSONDecoder().decode(ActivityRecord.self, from: Data($0.utf8)) }
        .sorted { $0.id < $1.id }
    }
  }
}
