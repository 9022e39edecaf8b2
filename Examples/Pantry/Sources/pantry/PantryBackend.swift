import CausewayData
import CausewayWeb

/// The server that all devices share.
struct PantryBackend: Sendable {
  /// The items that were changed after a version, and the newest version.
  struct Page: Codable, Sendable {
    var items: [Item]
    var version: SyncVersion
  }

  static let migrations = [
    Migration(
      "create item",
      """
      CREATE TABLE item (
        id TEXT PRIMARY KEY, title TEXT NOT NULL, isMissing INTEGER NOT NULL,
        version INTEGER NOT NULL DEFAULT 0) STRICT
      """),
    // A device that got no answer sends its change again, with the same key.
    Migration(
      "create receipt",
      "CREATE TABLE receipt (key TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT"),
  ]

  let store: any PersistenceService

  func serve(on server: WebServer) {
    server.get("/items") { request in
      guard let since = Int64(request.query("since") ?? "0") else {
        throw Problem.badRequest("\"since\" is not a version.")
      }
      return try .json(await page(since: since))
    }
    server.post("/items", body: ItemMutation.self) { request, mutation in
      guard let key = request.headers["Idempotency-Key"] else {
        throw Problem.badRequest("A change needs an idempotency key.")
      }
      return try await apply(mutation, key: key)
    }
    // Each change of the version is an event.
    server.get("/events") { _ in
      let versions = store.observe(Self.newestVersion, as: Int64.self)
      return .events(versions.map { ServerSentEvent(data: "\($0.first ?? 0)") })
    }
  }

  private func page(since version: Int64) async throws -> Page {
    try await store.read { transaction in
      Page(
        items: try transaction.rows(
          "SELECT id, title, isMissing FROM item WHERE version > \(version)", as: Item.self),
        version: SyncVersion(try Self.version(in: transaction)))
    }
  }

  /// Applies a change once, however often it arrives, and returns its version.
  private func apply(_ mutation: ItemMutation, key: String) async throws -> SyncVersion {
    try await store.write { transaction in
      if let version = try transaction.row(
        "SELECT version FROM receipt WHERE key = \(key)", as: Int64.self)
      {
        return SyncVersion(version)
      }
      let id = mutation.recordID
      let version = try Self.version(in: transaction) + 1
      var item = try transaction.row(
        "SELECT id, title, isMissing FROM item WHERE id = \(id)", as: Item.self)
      mutation.apply(to: &item)
      if let item {
        try transaction.upsert(item, into: "item")
        try transaction.execute("UPDATE item SET version = \(version) WHERE id = \(id)")
      }
      try transaction.execute("INSERT INTO receipt (key, version) VALUES (\(key), \(version))")
      return SyncVersion(version)
    }
  }

  private static let newestVersion: SQL = "SELECT coalesce(max(version), 0) FROM receipt"

  private static func version(in transaction: any ReadTransaction) throws -> Int64 {
    try transaction.row(newestVersion, as: Int64.self) ?? 0
  }
}
