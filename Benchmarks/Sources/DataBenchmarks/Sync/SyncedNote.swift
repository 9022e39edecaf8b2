import CausewayData
import CausewaySQLite
import Foundation

/// A record of the synchronisation benchmarks.
struct SyncedNote: Codable, Equatable, Sendable, Identifiable {
  var id: Int
  var title: String
  var stars: Int
}

enum SyncedNoteMutation: Mutation {
  case rename(Int, String)
  case star(Int)

  var recordID: Int {
    switch self {
    case .rename(let id, _), .star(let id): id
    }
  }

  func apply(to record: inout SyncedNote?) {
    switch self {
    case .rename(let id, let title):
      record = SyncedNote(id: id, title: title, stars: record?.stars ?? 0)
    case .star:
      record?.stars += 1
    }
  }
}

/// A server that answers immediately, announces each change, and counts the reads.
actor InstantServer: RemoteSource {
  typealias Mutation = SyncedNoteMutation

  private var notes: [Int: SyncedNote] = [:]
  private var changed: [(id: Int, version: Int64)] = []
  private(set) var applied = 0
  private(set) var reads = 0
  nonisolated let batchLimit: Int

  /// - Parameter batchLimit: The most mutations of a request; 1 for a server without batches.
  init(batchLimit: Int) { self.batchLimit = batchLimit }

  private nonisolated let announcements = AsyncThrowingStream<Void, any Error>.makeStream()

  nonisolated func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>? {
    announcements.stream
  }

  func snapshot(_ request: SyncRequest) -> RemoteSnapshot<SyncedNote> {
    reads += 1
    return RemoteSnapshot(Array(notes.values), version: SyncVersion(Int64(changed.count)))
  }

  func changes(since version: SyncVersion, _ request: SyncRequest) -> RemoteChanges<SyncedNote> {
    reads += 1
    let ids = Set(changed[Int(version.rawValue)...].map(\.id))
    return .changes(
      ids.compactMap { notes[$0] }, deleted: [], version: SyncVersion(Int64(changed.count)),
      hasMore: false)
  }

  func apply(_ mutation: SyncedNoteMutation, _ request: MutationRequest) -> MutationReceipt {
    mutation.apply(to: &notes[mutation.recordID])
    applied += 1
    changed.append((mutation.recordID, Int64(applied)))
    announcements.continuation.yield()
    return .covered(by: SyncVersion(Int64(applied)))
  }
}

/// An outbox and an engine with their own file.
struct SyncDesk {
  static let table = SyncedTable<SyncedNote>("note")
  static let migrations =
    Outbox.migrations + [
      table.migration(columns: "id INTEGER NOT NULL, title TEXT NOT NULL, stars INTEGER NOT NULL"),
      table.migration(indexing: "title"),
    ]

  let path: String
  let store: SQLiteService
  let server: InstantServer
  let outbox: Outbox
  let engine: SyncEngine<InstantServer>

  /// - Parameter isDurable: Whether each commit reaches the disk before it returns.
  init(isDurable: Bool, batchLimit: Int = 1) async throws {
    server = InstantServer(batchLimit: batchLimit)
    path = NSTemporaryDirectory() + "bench-sync-\(UUID().uuidString).sqlite"
    store = try await SQLiteService(
      path: path, migrations: Self.migrations,
      configuration: .init(synchronous: isDurable ? .full : .normal))
    outbox = Outbox(
      persistence: store, session: SessionService(account: .local), limit: 1_000_000)
    engine = SyncEngine(
      source: server, table: Self.table, outbox: outbox, pollInterval: nil)
  }

  /// Stores one edit after the other, like a user without a connection.
  @concurrent func edit(_ count: Int, records: Int) async throws {
    for number in 0..<count {
      try await engine.perform(.rename(number % records, "title \(number)"))
    }
  }

  /// Edits one record many times; the record does not exist if `isAbsent`.
  @concurrent func star(_ count: Int, isAbsent: Bool) async throws {
    if !isAbsent { try await engine.perform(.rename(1, "one")) }
    for _ in 0..<count { try await engine.perform(.star(1)) }
  }

  /// Stores entries without an engine, and sends them; returns when no entry is left.
  @concurrent func sendTexts(_ count: Int, scopes: Int) async throws {
    for number in 0..<count {
      let scope = SyncScope("\(number % scopes)")
      try await outbox.enqueue(
        OutboxDraft(collection: "text", scope: scope, kind: "send", payload: Data()))
    }
    outbox.start()
    let left = observeEntries()
    for try await rows in left where rows.first == false { break }
  }

  /// Sends all entries; returns when no entry is left.
  @concurrent func drain() async throws {
    engine.start()
    outbox.start()
    let left = observeEntries()
    for try await rows in left where rows.first == false { break }
  }

  /// Whether there are entries; a count would become slower with their number.
  private func observeEntries() -> LiveQuery<Bool> {
    store.observe("SELECT EXISTS (SELECT 1 FROM sync_outbox)", as: Bool.self)
  }

  func close() async throws {
    try await store.close()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}
