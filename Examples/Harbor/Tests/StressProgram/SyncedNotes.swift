import CausewayData
import CausewaySQLite
import Foundation
import Synchronization
import TestSupport

/// A synced collection on the threads of the pool: engines start and end, and store changes, while
/// the account signs out and in.
struct SyncedNotes {
  private static let accounts: [AccountID] = ["ada", "ben"]

  let seed: UInt64
  let watchdog: Watchdog

  /// Runs until the end; returns the number of changes that were stored.
  func run(until end: ContinuousClock.Instant) async throws -> Int {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let table = SyncedTable<Note>("note")
    let store = try await SQLiteService(
      path: directory.appending(path: "stress.sqlite").path,
      migrations: Outbox.migrations + [
        table.migration(columns: "id TEXT NOT NULL, stars INTEGER NOT NULL")
      ])
    let session = SessionService()
    let outbox = Outbox(persistence: store, session: session)
    let sending = Task { await outbox.run() }
    let server = NoteServer()
    let count = await withTaskGroup(of: Int.self) { group in
      let account = watchdog.part("the account of the synced notes")
      group.addTask {
        await failing(account) { try await signOutAndIn(session, account, until: end) }
      }
      for index in 0..<4 {
        group.addTask {
          var random = SeededRandom(seed: seed &+ UInt64(index))
          let part = watchdog.part("the synced notes \(index)")
          var count = 0
          while ContinuousClock.now < end {
            // Two tasks share each scope, as two pages of one device do.
            let engine = SyncEngine(
              source: server, table: table, scope: SyncScope("scope \(index / 2)"), outbox: outbox)
            count += await failing(part) { try await use(engine, part, &random) }
          }
          part.ends()
          return count
        }
      }
      return await group.reduce(0, +)
    }
    let part = watchdog.part("the end of the synced notes")
    // A change of the account keeps the unsent changes of the previous account.
    for account in Self.accounts {
      part.begins("sign in as \(account)")
      try await session.signIn(account)
      part.begins("send the rest of \(account)")
      for try await rows in store.observe(
        "SELECT count(*) FROM sync_outbox WHERE state = 'waiting' AND account = \(account.rawValue)",
        as: Int.self)
      where rows == [0] { break }
    }
    // Nothing reads any more, so the remains of all accounts can be erased.
    part.begins("sign out for ever")
    try await session.logout()
    part.begins("stop the outbox")
    sending.cancel()
    await sending.value
    part.begins("close the database")
    try await store.close()
    part.ends()
    return count
  }

  /// Starts an engine, observes it, stores changes, and ends it at a random moment.
  private func use(
    _ engine: SyncEngine<NoteServer>, _ part: Part, _ random: inout SeededRandom
  ) async throws -> Int {
    part.begins("start an engine")
    let isRun = Bool.random(using: &random)
    let running = Task { if isRun { await engine.run() } }
    if !isRun { engine.start() }
    let observing = Task { for try await _ in engine.observe() {} }
    var count = 0
    for _ in 0..<Int.random(in: 0..<6, using: &random) {
      part.begins("store a change")
      do {
        try await engine.perform(Star(id: "\(Int.random(in: 0..<5, using: &random))"))
        count += 1
        if Int.random(in: 0..<3, using: &random) == 0 {
          part.begins("refresh")
          try await engine.refresh()
        }
      } catch is SessionError {
        // The account signs out at the same time.
        await Task.yield()
      } catch is CancellationError {
        // The end of the session has cancelled the request.
      } catch let error as RemoteFailure where error.kind == .busy {
        engine.retryNow()
      }
    }
    part.begins("end an engine")
    running.cancel()
    observing.cancel()
    await running.value
    _ = await observing.result
    return count
  }

  /// Ends the program at an error, whose task would otherwise look stuck.
  private func failing(_ part: Part, _ body: () async throws -> Int) async -> Int {
    do { return try await body() } catch { watchdog.fail("\(part.name): \(error)") }
  }

  private func signOutAndIn(
    _ session: SessionService, _ part: Part, until end: ContinuousClock.Instant
  ) async throws -> Int {
    var random = SeededRandom(seed: seed)
    while ContinuousClock.now < end {
      part.begins("sign in")
      try await session.signIn(Self.accounts[Int.random(in: 0..<2, using: &random)])
      part.ends()
      try await Task.sleep(for: .milliseconds(Int.random(in: 0..<50, using: &random)))
      part.begins("sign out")
      guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
      do {
        try await session.logout()
      } catch SessionError.notErased {
        // On a busy machine, the reads that are running can last longer than the database waits.
      }
    }
    part.ends()
    return 0
  }
}

/// A note that people like.
private struct Note: Codable, Equatable, Sendable, Identifiable {
  var id: String
  var stars = 0
}

/// Adds a star to a note.
private struct Star: Mutation, Equatable {
  var id: String

  var recordID: String { id }
  var kind: String { "Star" }

  func apply(to record: inout Note?) { record = Note(id: id, stars: (record?.stars ?? 0) + 1) }
}

/// A server in memory, which is busy for every eighth request and announces each change.
private actor NoteServer: RemoteSource {
  typealias Mutation = Star

  private struct Shelf {
    var notes: [String: (note: Note, version: Int64)] = [:]
    var version: Int64 = 0
  }

  private var shelves: [SyncRequest: Shelf] = [:]
  private var receipts: [IdempotencyKey: SyncVersion] = [:]
  private var requests = 0
  private nonisolated let followers = Mutex<
    [Int: AsyncThrowingStream<Void, any Error>.Continuation]
  >([:])
  private nonisolated let lastFollower = Atomic(0)

  func snapshot(_ request: SyncRequest) async throws -> RemoteSnapshot<Note> {
    try countRequest()
    let shelf = shelves[request] ?? Shelf()
    return RemoteSnapshot(shelf.notes.values.map(\.note), version: SyncVersion(shelf.version))
  }

  func changes(
    since version: SyncVersion, _ request: SyncRequest
  ) async throws -> RemoteChanges<Note> {
    try countRequest()
    let shelf = shelves[request] ?? Shelf()
    let changed = shelf.notes.values.filter { $0.version > version.rawValue }.map(\.note)
    return .changes(changed, deleted: [], version: SyncVersion(shelf.version), hasMore: false)
  }

  func apply(_ mutation: Star, _ request: MutationRequest) async throws -> MutationReceipt {
    try countRequest()
    if let known = receipts[request.key] { return .covered(by: known) }
    let place = SyncRequest(account: request.account, scope: request.scope)
    var shelf = shelves[place] ?? Shelf()
    shelf.version += 1
    var note = shelf.notes[mutation.id]?.note
    mutation.apply(to: &note)
    shelf.notes[mutation.id] = note.map { ($0, shelf.version) }
    shelves[place] = shelf
    receipts[request.key] = SyncVersion(shelf.version)
    for follower in followers.withLock({ Array($0.values) }) { follower.yield() }
    return .covered(by: SyncVersion(shelf.version))
  }

  nonisolated func hints(_ request: SyncRequest) -> AsyncThrowingStream<Void, any Error>? {
    let (stream, follower) = AsyncThrowingStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = lastFollower.add(1, ordering: .relaxed).newValue
    followers.withLock { $0[id] = follower }
    follower.onTermination = { [weak self] _ in
      _ = self?.followers.withLock { $0.removeValue(forKey: id) }
    }
    follower.yield()
    return stream
  }

  private func countRequest() throws(RemoteFailure) {
    requests += 1
    if requests % 8 == 0 { throw RemoteFailure(.busy, "The server is busy.") }
  }
}
