import CausewayData
import CausewaySQLite
import Foundation
import Synchronization
import TestSupport

/// The data layer on the threads of the pool: consumers come and are cancelled while values change.
///
/// Each part reports its steps, so the watchdog notices when the threads wait for each other.
struct LibraryWorld {
  private let seed: UInt64
  private let watchdog: Watchdog

  init(_ seed: UInt64, _ watchdog: Watchdog) {
    self.seed = seed
    self.watchdog = watchdog
  }

  /// Runs the world; returns what happened.
  func run(seconds: Double) async throws -> String {
    let end = ContinuousClock.now + .seconds(seconds)
    async let sessions = sessions(until: end)
    async let queries = queries(until: end)
    async let values = values(until: end)
    async let changes = SyncedNotes(seed: seed, watchdog: watchdog).run(until: end)
    return try await
      "\(sessions) sessions, \(queries) live queries, \(values) cached values, \(changes) changes"
  }

  /// Tasks follow the session and are cancelled while another one signs in and out.
  private func sessions(until end: ContinuousClock.Instant) async throws -> Int {
    let session = SessionService()
    return try await withConsumers(of: "the session", until: end) { _ in
      for await _ in session.changes() {}
    } while: {
      try await session.signIn("ada")
      try await session.logout()
    }
  }

  /// Tasks observe queries of a database and are cancelled while another one writes.
  private func queries(until end: ContinuousClock.Instant) async throws -> Int {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = try await SQLiteService(
      path: directory.appending(path: "stress.sqlite").path,
      migrations: [Migration("boat", "CREATE TABLE boat(id INTEGER PRIMARY KEY, name TEXT)")])
    let count = try await withConsumers(of: "a live query", until: end) { number in
      // Some consumers share a query.
      let limit = number % 3 + 1
      let rows = store.observe("SELECT name FROM boat LIMIT \(limit)", as: String.self)
      for try await _ in rows {}
    } while: {
      try await store.write { try $0.execute("INSERT INTO boat(name) VALUES (\("Ada"))") }
      try await store.write { try $0.execute("DELETE FROM boat WHERE id % 7 = 0") }
    }
    try await store.close()
    return count
  }

  /// Tasks read values of a cache and are cancelled while another one makes them stale.
  private func values(until end: ContinuousClock.Instant) async throws -> Int {
    let cache = ResourceCache<Int, Int>(loader: { key in
      await Task.yield()
      return key
    })
    return try await withConsumers(of: "the cache", until: end) { number in
      for await _ in cache.updates() { _ = try await cache.value(for: number % 5) }
    } while: {
      for key in 0..<5 {
        cache.invalidate(key)
        _ = try await cache.refresh(key)
      }
    }
  }

  /// Runs a change again and again while four tasks start consumers and cancel them at random.
  ///
  /// Returns the number of consumers.
  private func withConsumers(
    of name: String, until end: ContinuousClock.Instant,
    consume: @escaping @Sendable (Int) async throws -> Void,
    while change: @escaping @Sendable () async throws -> Void
  ) async throws -> Int {
    let seed = seed
    let watchdog = watchdog
    return try await withThrowingTaskGroup(of: Int.self) { group in
      let writer = watchdog.part("the writer of \(name)")
      group.addTask {
        while ContinuousClock.now < end {
          writer.begins("change")
          try await change()
          await Task.yield()
        }
        writer.ends()
        return 0
      }
      for index in 0..<4 {
        let part = watchdog.part("consumer \(index) of \(name)")
        group.addTask {
          var random = SeededRandom(seed: seed &+ UInt64(index))
          var count = 0
          while ContinuousClock.now < end {
            part.begins("consume and cancel")
            let number = count
            let task = Task { try await consume(number) }
            for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() }
            task.cancel()
            _ = await task.result
            count += 1
          }
          part.ends()
          return count
        }
      }
      return try await group.reduce(0, +)
    }
  }
}
