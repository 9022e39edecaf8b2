import CausewayData
import CausewaySQLite
import CausewaySimulation
import Foundation

// snippet
struct Wish: Codable, Equatable, Sendable, Identifiable {
  var id: String
  var text: String
}

struct WishMutation: Mutation {
  var wish: Wish
  var recordID: String { wish.id }
  func apply(to record: inout Wish?) { record = wish }
}

let wishes = SyncedTable<Wish>("wish")

/// All wishes of the server, and their version.
struct WishList: Codable {
  var wishes: [Wish]
  var version: Int64
}
// end

// snippet
/// The server's side, for any network service.
struct WishSource: RemoteSource {
  let network: any NetworkService

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Wish> {
    let list = try await network.value(for: Endpoint<WishList>(.get, "/wishes"))
    return RemoteSnapshot(list.wishes, version: SyncVersion(list.version))
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Wish> {
    .snapshotNeeded
  }

  func apply(_ mutation: WishMutation, _ request: MutationRequest) async throws -> MutationReceipt {
    let body = Array(try JSONEncoder().encode(mutation.wish))
    let response = try await network.response(
      for: NetworkRequest(
        .post, "/wishes", body: .bytes(body, type: "application/json"), idempotencyKey: request.key)
    )
    return .covered(
      by: SyncVersion(try JSONDecoder().decode(Int64.self, from: Data(response.body))))
  }
}

/// The data layer of a client.
struct WishClient: Sendable {
  let database: any PersistenceService
  let engine: SyncEngine<WishSource>

  init(_ node: NodeContext, server: NodeID) async throws {
    database = try await node.database(
      "wishes.db",
      migrations: Outbox.migrations + [
        wishes.migration(columns: "id TEXT NOT NULL, text TEXT NOT NULL")
      ])
    let outbox = Outbox(
      persistence: database, session: SessionService(account: .local),
      surroundings: node.surroundings)
    engine = SyncEngine(
      source: WishSource(network: node.network(to: server)), table: wishes, outbox: outbox,
      pollInterval: .seconds(10))
    outbox.start()
    engine.start()
  }

  var all: [Wish] {
    get async throws {
      try await database.read { try $0.rows("SELECT * FROM wish ORDER BY id", as: Wish.self) }
    }
  }
}
// end

// snippet
/// A server with a database on the disk of its node.
struct WishServer: Sendable {
  private let database: SQLiteService

  init(_ node: NodeContext) async throws {
    database = try await node.database(
      "server.db",
      migrations: [
        Migration(
          "wishes",
          """
          CREATE TABLE wish (id TEXT PRIMARY KEY, text TEXT NOT NULL);
          CREATE TABLE receipt (version INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL);
          """)
      ])
    node.serve { [self] request in
      let answer: any Encodable
      if case .bytes(let bytes, _) = request.body, let key = request.idempotencyKey {
        let wish = try JSONDecoder().decode(Wish.self, from: Data(bytes))
        answer = try await store(wish, key.rawValue)
      } else {
        answer = try await list
      }
      return NetworkResponse(
        status: 200, headers: ["content-type": "application/json"],
        body: Array(try JSONEncoder().encode(answer)))
    }
  }

  var list: WishList {
    get async throws {
      try await database.read { transaction in
        WishList(
          wishes: try transaction.rows("SELECT * FROM wish ORDER BY id", as: Wish.self),
          version: try transaction.row(
            "SELECT ifnull(max(version), 0) FROM receipt", as: Int64.self) ?? 0)
      }
    }
  }

  /// Stores a wish together with the key of its mutation.
  private func store(_ wish: Wish, _ key: String) async throws -> Int64 {
    try await database.write { transaction in
      let known: SQL = "SELECT version FROM receipt WHERE key = \(key)"
      if let version = try transaction.row(known, as: Int64.self) { return version }
      try transaction.upsert(wish, into: "wish")
      try transaction.execute("INSERT INTO receipt (key) VALUES (\(key))")
      return try transaction.row(known, as: Int64.self) ?? 0
    }
  }
}
// end
