import CausewayData
import CausewaySimulation
import Foundation
import Synchronization

/// A note on a board.
struct Note: Codable, Equatable, Sendable, Identifiable {
  var id: String
  var stars = 0
}

enum NoteMutation: Mutation, Equatable {
  case write(Note)
  case star(id: String)

  var recordID: String {
    switch self {
    case .write(let note): note.id
    case .star(let id): id
    }
  }

  func apply(to record: inout Note?) {
    switch self {
    case .write(let note): record = note
    case .star: record?.stars += 1
    }
  }
}

let notes = SyncedTable<Note>("note")
let noteMigrations =
  Outbox.migrations + [notes.migration(columns: "id TEXT NOT NULL, stars INTEGER NOT NULL")]

/// The rows of the server, which survive its crashes.
final class BoardStore: Sendable {
  struct Rows {
    var notes: [String: Note] = [:]
    var changed: [String: Int64] = [:]
    var version: Int64 = 0
    var receipts: [String: Int64] = [:]
    /// The number of mutations that changed a row.
    var applied = 0
  }

  private let rows = Mutex(Rows())

  func read<T>(_ body: (Rows) -> sending T) -> T { rows.withLock { body($0) } }

  /// Applies a mutation once for each key, and returns the version that contains it.
  func apply(_ mutation: NoteMutation, _ key: String, checksKey: Bool) -> Int64 {
    rows.withLock { rows in
      if checksKey, let known = rows.receipts[key] { return known }
      rows.version += 1
      rows.applied += 1
      mutation.apply(to: &rows.notes[mutation.recordID])
      rows.changed[mutation.recordID] = rows.version
      rows.receipts[key] = rows.version
      return rows.version
    }
  }
}

/// The server's response to a read.
struct Page: Codable, Sendable {
  var notes: [Note]
  var version: Int64
}

/// The program of the server.
struct BoardServer: Sendable {
  let store: BoardStore
  /// Whether the server recognises a repeated mutation; false for a server with a bug.
  var checksKeys = true

  func serve(_ node: NodeContext) {
    node.serve { request in
      try await node.clock.sleep(for: .milliseconds(2))
      let answer: any Encodable
      switch request.path.encoded {
      case "/notes":
        let since = request.query.first { $0.name == "since" }.flatMap { Int64($0.value) } ?? -1
        answer = store.read { rows in
          Page(
            notes: rows.notes.values.filter { rows.changed[$0.id, default: 0] > since }
              .sorted { $0.id < $1.id },
            version: rows.version)
        }
      default:
        guard case .bytes(let bytes, _) = request.body, let key = request.idempotencyKey else {
          return NetworkResponse(status: 400)
        }
        let mutation = try JSONDecoder().decode(NoteMutation.self, from: Data(bytes))
        let version = store.apply(mutation, key.rawValue, checksKey: checksKeys)
        // The server answers after the commit. A crash can happen in between.
        try await node.clock.sleep(for: .milliseconds(2))
        answer = version
      }
      return NetworkResponse(
        status: 200, headers: ["content-type": "application/json"],
        body: Array(try JSONEncoder().encode(answer)))
    }
  }
}

/// The server as a client sees it.
struct BoardSource: RemoteSource {
  let network: SimulatedNetworkService

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Note> {
    let page = try await network.value(for: Endpoint<Page>(.get, "/notes"))
    return RemoteSnapshot(page.notes, version: SyncVersion(page.version))
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Note> {
    let endpoint = Endpoint<Page>(
      .get, "/notes", query: [NetworkRequest.QueryItem("since", "\(version.rawValue)")])
    let page = try await network.value(for: endpoint)
    return .changes(
      page.notes, deleted: [], version: SyncVersion(page.version), hasMore: false)
  }

  func apply(
    _ mutation: NoteMutation, _ request: MutationRequest
  ) async throws -> MutationReceipt {
    let body = try JSONEncoder().encode(mutation)
    let response = try await network.response(
      for: NetworkRequest(
        .post, "/mutations", body: .bytes(Array(body), type: "application/json"),
        idempotencyKey: request.key))
    return .covered(
      by: SyncVersion(try JSONDecoder().decode(Int64.self, from: Data(response.body))))
  }
}
