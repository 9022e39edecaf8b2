import CausewayData
import CausewaySQLite
import Foundation

/// A server that may be killed at any moment.
///
/// It applies each key once, and answers a repeated key with the same response.
struct Server {
  let store: SQLiteService

  static let migrations = [
    Migration(
      "server",
      """
      CREATE TABLE effect (
        position INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL, id TEXT NOT NULL,
        run INTEGER NOT NULL, number INTEGER NOT NULL)
      """,
      "CREATE INDEX effect_scope ON effect (scope, position)",
      "CREATE TABLE receipt (key TEXT PRIMARY KEY, position INTEGER)"),
    Migration(
      "sessions",
      "ALTER TABLE effect ADD COLUMN account TEXT NOT NULL DEFAULT 'local'",
      """
      CREATE TABLE session (
        access TEXT PRIMARY KEY, refresh TEXT NOT NULL UNIQUE, account TEXT NOT NULL,
        isLasting INTEGER NOT NULL)
      """),
  ]

  /// Serves until the process ends.
  ///
  /// It writes its port into a file as soon as it accepts connections.
  static func run(_ folder: String) async throws {
    let store = try await SQLiteService(path: folder + "/server.sqlite", migrations: migrations)
    let server = Server(store: store)
    let (socket, port) = try Connection.listen()
    try Data("\(port)".utf8).write(to: URL(filePath: folder + "/port"), options: .atomic)
    while true {
      let connection = try Connection.accept(socket)
      // A client killed in the middle of its request must not end the server.
      do {
        try connection.write(try await server.answer(to: connection.read(Question.self)))
      } catch is ConnectionLost {
      } catch is DecodingError {}
    }
  }

  func answer(to question: Question, of account: String = "local") async throws -> Answer {
    switch question {
    case .signIn, .refresh, .authorized: return try await answer(toSession: question)
    case .changes(let scope, let since):
      let (found, version) = try await store.read { transaction in
        (
          try transaction.rows(
            """
            SELECT id, run, number FROM effect WHERE scope = \(scope) AND position > \(since)
            AND account = \(account) ORDER BY position
            """, as: Step.self),
          try transaction.row(
            """
            SELECT coalesce(max(position), 0) FROM effect
            WHERE scope = \(scope) AND account = \(account)
            """, as: Int64.self)
        )
      }
      return .changes(found, SyncVersion(version ?? 0))
    case .apply(let mutations, let scope, let keys):
      var versions: [SyncVersion?] = []
      for (mutation, key) in zip(mutations, keys) {
        versions.append(try await apply(mutation, scope, key, account))
      }
      return .applied(versions)
    }
  }

  /// Applies a mutation in its own transaction; a kill can separate the mutations of a batch.
  private func apply(
    _ mutation: StepMutation, _ scope: SyncScope, _ key: IdempotencyKey, _ account: String
  ) async throws -> SyncVersion? {
    if case .forbid = mutation { return nil }
    let step = mutation.step
    let position = try await store.write { transaction in
      let known = try transaction.row(
        "SELECT position FROM receipt WHERE key = \(key)", as: Int64.self)
      if let known { return known }
      try transaction.execute(
        """
        INSERT INTO effect (scope, id, run, number, account)
        VALUES (\(scope), \(step.id), \(step.run), \(step.number), \(account))
        """)
      let position = try transaction.row("SELECT last_insert_rowid()", as: Int64.self) ?? 0
      try transaction.execute("INSERT INTO receipt VALUES (\(key), \(position))")
      return position
    }
    return SyncVersion(position)
  }
}

/// The server as a client sees it.
///
/// It reads the port each time, because the server may restart.
struct ServerSource: RemoteSource {
  typealias Mutation = StepMutation

  let folder: String
  let batchLimit: Int

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Step> {
    let (found, version) = try changes(request.scope, since: 0)
    return RemoteSnapshot(found, version: version)
  }

  func changes(since version: SyncVersion, _ request: SyncRequest) async throws -> RemoteChanges<
    Step
  > {
    let (found, next) = try changes(request.scope, since: version)
    return .changes(found, deleted: [], version: next, hasMore: false)
  }

  func apply(_ mutation: StepMutation, _ request: MutationRequest) async throws -> MutationReceipt {
    guard let result = try await applyBatch([BatchedMutation(mutation, request)]).first else {
      throw RemoteFailure(.garbled)
    }
    return try result.get()
  }

  func applyBatch(
    _ batch: [BatchedMutation<StepMutation>]
  ) async throws -> [Result<MutationReceipt, RemoteFailure>] {
    let answer = try ask(
      .apply(
        batch.map(\.mutation), scope: batch[0].request.scope, keys: batch.map(\.request.key)))
    guard case .applied(let versions) = answer else { throw RemoteFailure(.garbled) }
    return versions.map { version in
      if let version { return .success(.covered(by: version)) }
      return .failure(RemoteFailure(.rejected, "forbidden"))
    }
  }

  private func changes(
    _ scope: SyncScope, since version: SyncVersion
  ) throws -> ([Step], SyncVersion) {
    guard case .changes(let found, let next) = try ask(.changes(scope: scope, since: version))
    else {
      throw RemoteFailure(.garbled)
    }
    return (found, next)
  }

  private func ask(_ question: Question) throws -> Answer {
    try Server.ask(question, in: folder)
  }
}

extension Server {
  /// Sends a question to the server of a folder.
  static func ask(_ question: Question, in folder: String) throws -> Answer {
    guard
      let text = try? String(contentsOfFile: folder + "/port", encoding: .utf8),
      let port = UInt16(text)
    else { throw RemoteFailure(.unreachable, "The server has no port yet.") }
    do {
      let connection = try Connection.connect(port: port)
      try connection.write(question)
      return try connection.read(Answer.self)
    } catch is ConnectionLost {
      throw RemoteFailure(.unreachable)
    }
  }
}
