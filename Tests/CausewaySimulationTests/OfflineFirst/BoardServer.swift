import CausewayData
import CausewaySQLite
import CausewaySimulation
import Foundation

/// A note on a board.
struct Note: Codable, Equatable, Sendable, Identifiable {
  var id: String
  /// The actions that have given the note a star, in order.
  var stars: [String] = []
}

enum NoteMutation: Mutation, Equatable {
  /// Adds a star; the action identifies the mutation, even if its key changes.
  case star(id: String, action: String)

  var recordID: String {
    switch self {
    case .star(let id, _): id
    }
  }

  var action: String {
    switch self {
    case .star(_, let action): action
    }
  }

  /// The end of the name of an action that the server refuses.
  static let refused = ", refused"
  var isRefused: Bool { action.hasSuffix(Self.refused) }

  func apply(to record: inout Note?) {
    // The server's record may already contain the mutation, because its answer was lost.
    var note = record ?? Note(id: recordID)
    if !note.stars.contains(action) { note.stars.append(action) }
    record = note
  }
}

let notes = SyncedTable<Note>("note")
let noteMigrations =
  Outbox.migrations + [notes.migration(columns: "id TEXT NOT NULL, stars TEXT NOT NULL")]

/// The server's response to a read.
struct Page: Codable, Sendable {
  var notes: [Note]
  var version: Int64
  /// Whether a note was deleted since the version of the request.
  var hasDeletions: Bool
}

/// The program of the server: a database on its disk, requests and hints.
struct BoardServer: Sendable {
  /// A bug of the server.
  enum Bug {
    /// The server does not recognise a repeated mutation.
    case ignoresKeys
    /// The server answers before the transaction is committed.
    case answersBeforeCommit
    /// The server stores the key of a mutation in a second transaction.
    case storesKeyLater
  }

  private struct Receipt: Codable {
    var key: String
    var version: Int64
  }

  private struct StoredNote: Codable {
    var account: String
    var id: String
    var stars: [String]
    var version: Int64
  }

  private static let migrations: [Migration] = [
    Migration(
      "board",
      """
      CREATE TABLE note (
        account TEXT, id TEXT, stars TEXT NOT NULL, version INTEGER NOT NULL,
        PRIMARY KEY (account, id));
      CREATE TABLE receipt (key TEXT PRIMARY KEY, version INTEGER NOT NULL);
      CREATE TABLE applied (position INTEGER PRIMARY KEY, action TEXT NOT NULL);
      CREATE TABLE deletion (version INTEGER NOT NULL);
      """)
  ]

  let database: SQLiteService
  private let node: NodeContext
  private let bug: Bug?

  init(_ node: NodeContext, bug: Bug? = nil) async throws {
    self.node = node
    self.bug = bug
    database = try await node.database("server.db", migrations: Self.migrations)
    node.serve(answering: { [self] in try await answer($0) })
  }

  /// The actions of all mutations that were applied, in order.
  var applied: [String] {
    get async throws {
      try await database.read {
        try $0.rows("SELECT action FROM applied ORDER BY position", as: String.self)
      }
    }
  }

  func notes(of account: String) async throws -> [Note] {
    try await page(of: account, since: -1).notes
  }

  private func answer(_ request: NetworkRequest) async throws -> SimulatedAnswer {
    let account = request.headers["account"] ?? "local"
    if request.path.encoded == "/hints" { return .events(hints()) }
    let answer: any Encodable
    if request.method == .get {
      let since = request.query.first { $0.name == "since" }.flatMap { Int64($0.value) } ?? -1
      answer = try await page(of: account, since: since)
    } else {
      // A real request sends its key in a field.
      let key = request.idempotencyKey?.rawValue ?? request.headers["idempotency-key"]
      guard case .bytes(let bytes, _) = request.body, let key else {
        return .response(NetworkResponse(status: 400))
      }
      let mutation = try JSONDecoder().decode(NoteMutation.self, from: Data(bytes))
      if mutation.isRefused { return .response(NetworkResponse(status: 422)) }
      answer = try await apply(mutation, key, of: account)
    }
    return .response(
      NetworkResponse(
        status: 200, headers: ["content-type": "application/json"],
        body: Array(try JSONEncoder().encode(answer))))
  }

  private func page(of account: String, since: Int64) async throws -> Page {
    try await database.read { transaction in
      Page(
        notes: try transaction.rows(
          """
          SELECT id, stars FROM note WHERE account = \(account) AND version > \(since) ORDER BY id
          """, as: Note.self),
        version: try Self.version(in: transaction),
        hasDeletions: try transaction.row(
          "SELECT 1 FROM deletion WHERE version > \(since)", as: Int.self) != nil)
    }
  }

  private static func version(in transaction: any ReadTransaction) throws -> Int64 {
    try transaction.row("SELECT coalesce(max(position), 0) FROM applied", as: Int64.self) ?? 0
  }

  /// Applies a mutation once for each key, and returns the version that contains it.
  private func apply(
    _ mutation: NoteMutation, _ key: String, of account: String
  ) async throws -> Int64 {
    if bug == .answersBeforeCommit {
      let next = try await database.read { try Self.version(in: $0) + 1 }
      _ = Task { try await commit(mutation, key, of: account) }
      return next
    }
    return try await commit(mutation, key, of: account)
  }

  private func commit(
    _ mutation: NoteMutation, _ key: String, of account: String
  ) async throws -> Int64 {
    let (version, isNew) = try await database.write { [bug] transaction in
      let known = try transaction.row(
        "SELECT key, version FROM receipt WHERE key = \(key)", as: Receipt.self)
      if let known, bug != .ignoresKeys { return (known.version, false) }
      let version = try Self.version(in: transaction) + 1
      try transaction.execute("INSERT INTO applied (action) VALUES (\(mutation.action))")
      var note = try transaction.row(
        "SELECT id, stars FROM note WHERE account = \(account) AND id = \(mutation.recordID)",
        as: Note.self)
      mutation.apply(to: &note)
      try store(note, mutation.recordID, of: account, version, in: transaction)
      if bug != .storesKeyLater {
        try transaction.upsert(Receipt(key: key, version: version), into: "receipt", key: ["key"])
      }
      return (version, true)
    }
    if isNew, bug == .storesKeyLater {
      try await database.write {
        try $0.upsert(Receipt(key: key, version: version), into: "receipt", key: ["key"])
      }
    }
    return version
  }

  /// Stores a changed note; the server treats some notes in another way.
  private func store(
    _ note: Note?, _ id: String, of account: String, _ version: Int64,
    in transaction: any WriteTransaction
  ) throws {
    if id == Self.ignored { return }
    if id == Self.alternating, note?.stars.count ?? 0 > 1 {
      try transaction.execute("DELETE FROM note WHERE account = \(account) AND id = \(id)")
      return try transaction.execute("INSERT INTO deletion VALUES (\(version))")
    }
    let row = StoredNote(account: account, id: id, stars: note?.stars ?? [], version: version)
    try transaction.upsert(row, into: "note", key: ["account", "id"])
  }

  /// The note that each second star deletes.
  static let alternating = "note 4"
  /// The note that the server never has, although it accepts its stars.
  static let ignored = "note 5"

  /// One event at the beginning, and one after each change.
  private func hints() -> AsyncThrowingStream<NetworkEvent, any Error> {
    let versions = database.observe("SELECT count(*) FROM applied", as: Int64.self)
    return AsyncThrowingStream { continuation in
      let task = Task {
        do {
          for try await rows in versions {
            continuation.yield(NetworkEvent(data: "\(rows.first ?? 0)"))
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

/// The server as a client sees it.
struct BoardSource: RemoteSource {
  /// A bug of the client.
  enum Bug {
    /// Each attempt has a key of its own.
    case forgetsKey
    /// The stream reconnects without a report, and a new connection is not a hint.
    case missesChangesWhileDisconnected
  }

  let network: any NetworkService
  var usesHints = false
  /// Whether some answers leave it to the next read to cover a mutation.
  var isLively = false
  var bug: Bug?

  private func request(
    _ method: HTTPMethod, _ path: NetworkPath, of account: AccountID
  ) -> NetworkRequest {
    NetworkRequest(method, path, headers: ["account": account.rawValue])
  }

  private func page(_ request: SyncRequest, since: Int64?) async throws -> Page {
    var request = self.request(.get, "/notes", of: request.account)
    if let since { request.query = [NetworkRequest.QueryItem("since", "\(since)")] }
    return try JSONDecoder().decode(
      Page.self, from: Data(try await network.response(for: request).body))
  }

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Note> {
    let page = try await page(request, since: nil)
    return RemoteSnapshot(page.notes, version: SyncVersion(page.version))
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Note> {
    let page = try await page(request, since: version.rawValue)
    if page.hasDeletions { return .snapshotNeeded }
    return .changes(page.notes, deleted: [], version: SyncVersion(page.version), hasMore: false)
  }

  func apply(
    _ mutation: NoteMutation, _ request: MutationRequest
  ) async throws -> MutationReceipt {
    var sent = self.request(.post, "/mutations", of: request.account)
    sent.body = .bytes(Array(try JSONEncoder().encode(mutation)), type: "application/json")
    sent.idempotencyKey = bug == .forgetsKey ? IdempotencyKey() : request.key
    let response = try await network.response(for: sent)
    let version = try JSONDecoder().decode(Int64.self, from: Data(response.body))
    if isLively, version.isMultiple(of: 2) { return .coveredByNextRead }
    return .covered(by: SyncVersion(version))
  }

  func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>? {
    guard usesHints else { return nil }
    let hints = self.request(.get, "/hints", of: request.account)
    guard bug == .missesChangesWhileDisconnected else { return network.hints(for: hints) }
    let isFirst = Counter()
    return .hints(
      of: network.events(for: hints).filter { _ in
        // The first event of a connection is the hint that there may be changes.
        defer { isFirst.increase() }
        return isFirst.value > 0
      })
  }
}
