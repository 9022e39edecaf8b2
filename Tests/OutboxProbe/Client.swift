import CausewayData
import CausewaySQLite
import Foundation

/// An app that performs mutations, prints which of them were acknowledged, and may be killed at any
/// moment.
struct Client {
  let folder: String
  let store: SQLiteService
  let outbox: Outbox
  let engines: [SyncEngine<ServerSource>]
  /// Whether the steps of each later scope require the steps of the previous scope.
  let hasDependencies: Bool

  static let migrations =
    Outbox.migrations + [
      steps.migration(columns: "id TEXT NOT NULL, run INTEGER NOT NULL, number INTEGER NOT NULL")
    ]

  /// - Parameter batchLimit: The largest number of mutations in a request. If it is larger than
  ///   one, mutations also require other mutations.
  init(_ folder: String, batchLimit: Int) async throws {
    self.folder = folder
    hasDependencies = batchLimit > 1
    endAfterMinutes()
    store = try await SQLiteService(
      path: folder + "/client.sqlite", migrations: Self.migrations)
    let table = RetryTable(
      backoff: Backoff(initial: .milliseconds(5), cap: .milliseconds(50)),
      rules: [.rejected: .reject, .unsendable: .reject])
    outbox = Outbox(
      persistence: store, session: SessionService(account: .local), table: table, limit: 1_000_000)
    engines = scopes.map { [outbox] scope in
      SyncEngine(
        source: ServerSource(folder: folder, batchLimit: batchLimit), table: steps, scope: scope,
        outbox: outbox,
        retries: table, pollInterval: nil)
    }
    outbox.start()
    for engine in engines { engine.start() }
  }

  /// Performs some mutations in each scope, and waits to be killed.
  func work(run: Int, count: Int) async throws {
    if hasDependencies {
      try await workInTurn(run, count)
    } else {
      try await workAtOnce(run, count)
    }
    while true { try await Task.sleep(for: .seconds(60)) }
  }

  /// Performs each step in all scopes, one scope after the other.
  private func workInTurn(_ run: Int, _ count: Int) async throws {
    for number in 1...count {
      for (index, engine) in engines.enumerated() {
        let step = Step(id: "\(run)-\(number)", run: run, number: number)
        let isForbidden = (run + number) % 7 == 0
        let taken = index == 0 ? StepMutation.take(step) : .follow(step)
        try await engine.perform(isForbidden ? .forbid(step) : taken)
        say("\(isForbidden ? "forbid" : "take") \(engine.scope) \(run) \(number)")
      }
    }
  }

  private func workAtOnce(_ run: Int, _ count: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for engine in engines {
        group.addTask {
          for number in 1...count {
            let step = Step(id: "\(run)-\(number)", run: run, number: number)
            let isForbidden = (run + number) % 7 == 0
            try await engine.perform(isForbidden ? .forbid(step) : .take(step))
            say("\(isForbidden ? "forbid" : "take") \(engine.scope) \(run) \(number)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Sends the remaining mutations, and returns when the server's data covers them.
  func drain() async throws {
    let left = store.observe("SELECT count(*) FROM sync_outbox", as: Int.self)
    for try await rows in left where rows.first == 0 { break }
    try await store.close()
  }
}

/// Ends the process if it hangs, so that the test ends too.
func endAfterMinutes() {
  Thread.detachNewThread {
    Thread.sleep(forTimeInterval: 180)
    exit(3)
  }
}

/// Writes a line to standard output with one system call, without a buffer.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}
