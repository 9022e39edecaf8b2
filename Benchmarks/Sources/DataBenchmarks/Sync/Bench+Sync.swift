import CausewayData
import CausewaySQLite
import Foundation

extension Bench {
  /// Measures offline edits, sending them, and indexed reads, each for several counts.
  mutating func measureSync() async throws {
    guard filter.map({ "sync".contains($0) || $0.hasPrefix("sync") }) ?? true else { return }
    for count in [1, 100, 10_000, 100_000] where selects("sync edits \(count)") {
      try await measureEdits(count)
    }
    for count in [1, 100, 1_000, 10_000, 30_000, 100_000] where selects("sync drain \(count)") {
      try await measureDraining(count, batchLimit: 100, records: max(count / 2, 1))
      try await measureDraining(count, batchLimit: 1, records: max(count / 2, 1))
      // For more entries, this would take minutes.
      guard count <= 10_000 else { continue }
      try await measureDraining(count, batchLimit: 100, records: 1)
    }
    for count in [100, 10_000, 100_000] where selects("sync scopes \(count)") {
      try await measureScopes(count)
    }
    for count in [100, 10_000, 100_000] where selects("sync absent \(count)") {
      try await measureAbsent(count)
    }
    if selects("sync rows") { try await measureRows() }
  }

  private func selects(_ name: String) -> Bool { filter.map(name.hasPrefix) ?? true }

  private func repetitions(_ count: Int) -> Int { count > 10_000 ? 1 : count > 1_000 ? 3 : 9 }

  /// The floor is the same number of edits of different records.
  private mutating func measureEdits(_ count: Int) async throws {
    var (one, many): ([Double], [Double]) = ([], [])
    for _ in 0..<repetitions(count) {
      for records in [count, 1] {
        let desk = try await SyncDesk(isDurable: false)
        // The first statement of each kind is prepared before the measurement.
        try await desk.edit(1, records: 1)
        let start = ContinuousClock.now
        try await desk.edit(count, records: records)
        let time = (ContinuousClock.now - start) / .nanoseconds(1) / Double(count)
        if records == 1 { one.append(time) } else { many.append(time) }
        if count == 1 { many.append(time) }
        try await desk.close()
      }
    }
    add("sync edits \(count) of one record, each", "<= 1.2 x different records", one, floor: many)
  }

  private mutating func measureDraining(
    _ count: Int, batchLimit: Int, records: Int
  ) async throws {
    var times: [Double] = []
    var reads = 0
    for _ in 0..<repetitions(count) {
      let desk = try await SyncDesk(isDurable: true, batchLimit: batchLimit)
      try await desk.edit(count, records: records)
      let start = ContinuousClock.now
      try await desk.drain()
      times.append((ContinuousClock.now - start) / .nanoseconds(1) / Double(count))
      reads = await desk.server.reads
      guard await desk.server.applied == count else { fatalError("not all entries were sent") }
      try await desk.close()
    }
    add(
      "sync drain \(count) by \(batchLimit), \(records) records, each (\(reads) reads)",
      "<= 500 µs", times)
  }

  /// The floor is the same number of entries in one scope.
  private mutating func measureScopes(_ count: Int) async throws {
    var (one, many): ([Double], [Double]) = ([], [])
    for _ in 0..<min(repetitions(count), 3) {
      for scopes in [1, count] {
        let desk = try await SyncDesk(isDurable: false)
        desk.outbox.register("text") { _ in .final }
        let start = ContinuousClock.now
        try await desk.sendTexts(count, scopes: scopes)
        let time = (ContinuousClock.now - start) / .nanoseconds(1) / Double(count)
        if scopes == 1 { one.append(time) } else { many.append(time) }
        try await desk.close()
      }
    }
    add("sync scopes \(count): store and send, each", "<= 1.5 x one scope", many, floor: one)
  }

  /// Measures edits of a record that does not exist; the floor is edits of existing records.
  private mutating func measureAbsent(_ count: Int) async throws {
    var (absent, present): ([Double], [Double]) = ([], [])
    for _ in 0..<min(repetitions(count), 3) {
      for isAbsent in [false, true] {
        let desk = try await SyncDesk(isDurable: false)
        let start = ContinuousClock.now
        try await desk.star(count, isAbsent: isAbsent)
        let time = (ContinuousClock.now - start) / .nanoseconds(1) / Double(count)
        if isAbsent { absent.append(time) } else { present.append(time) }
        try await desk.close()
      }
    }
    add("sync absent \(count) edits, each", "<= 1.2 x an existing record", absent, floor: present)
  }

  private mutating func add(
    _ name: String, _ target: String, _ work: [Double], floor: [Double]? = nil
  ) {
    let median = { (times: [Double]) in
      Measurement(nanoseconds: times.sorted()[times.count / 2], allocations: 0)
    }
    add(Row(name: name, work: median(work), floor: floor.map(median), target: target))
  }

  /// The floors run the same queries on `note_base`, the table with the server's rows.
  private mutating func measureRows() async throws {
    let desk = try await SyncDesk(isDurable: false)
    try await desk.store.write { transaction in
      try transaction.execute(
        """
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)
        INSERT INTO note_base (syncAccount, syncScope, syncRead, syncDeleted, id, title, stars)
        SELECT 'local', 'all', 1, 0, n, printf('title %06d', n * 7919 % 100000), n % 5 FROM numbers
        """)
      try transaction.execute(
        "INSERT INTO sync_cursor VALUES ('local', 'note', 'all', 1, 1)")
    }
    try await desk.engine.perform(.rename(7, "title 000000 a"))
    let engine = desk.engine
    let store = desk.store
    let base: SQL = """
      SELECT *, 0 AS syncPending FROM note_base WHERE syncAccount = 'local' AND syncScope = 'all'
      """
    await measure(
      "sync rows: one of 100,000 by an indexed title", target: "<= 1 ms", operations: 100
    ) { count in
      for number in 0..<count {
        let title = String(format: "title %06d", number * 31)
        _ = try? await store.read {
          try $0.rows("\(base) AND title = \(title) ORDER BY id", as: Synced<SyncedNote>.self)
        }
      }
    } work: { count in
      for number in 0..<count {
        let title = String(format: "title %06d", number * 31)
        let rows = try? await engine.rows(.cacheOnly, where: "title = \(title)")
        guard rows?.count == 1 else { fatalError("\(String(describing: rows))") }
      }
    }
    await measure(
      "sync rows: 20 of 100,000 by an indexed title", target: "<= 1 ms", operations: 100
    ) { count in
      for _ in 0..<count {
        _ = try? await store.read {
          try $0.rows("\(base) ORDER BY title, id LIMIT 20", as: Synced<SyncedNote>.self)
        }
      }
    } work: { count in
      for _ in 0..<count {
        let rows = try? await engine.rows(.cacheOnly, orderedBy: "title, id", limit: 20)
        guard rows?.count == 20 else { fatalError("\(String(describing: rows))") }
      }
    }
    let middle = try await engine.page(of: 20, orderedBy: "title", where: "title >= 'title 050000'")
    await measure(
      "sync rows: the next 20 of 100,000, from the middle", target: "<= 1 ms", operations: 100
    ) { count in
      for _ in 0..<count {
        let page = try? await engine.page(
          of: 20, orderedBy: "title", after: middle.last?.record)
        guard page?.count == 20 else { fatalError("\(String(describing: page))") }
      }
    }
    try await desk.close()
  }
}
