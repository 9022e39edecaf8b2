import CAllocations
import CSQLiteFloor
import CausewayData
import CausewaySQLite
import Synchronization

extension Bench {
  mutating func measureSQL() async throws {
    if selects("insert") { try await measureInserting() }
    if selects("decode") { try await measureDecoding() }
    if selects("transaction") { try await measureSingleRows() }
    if selects("live") {
      try await measureChangedRow()
      try await measureLiveQueries()
    }
  }

  /// Whether the filter selects a group.
  ///
  /// Other groups do not open a database.
  private func selects(_ group: String) -> Bool {
    filter.map { $0.contains(group) } ?? true
  }

  private mutating func measureInserting() async throws {
    let database = try await Database()
    let (service, floor) = (database.service, database.floor)
    let activities = (0..<50_000).map(Activity.init)
    await measure(
      "insert 50,000 x 10 columns, for each row", target: "<= 2 x raw C",
      operations: activities.count
    ) { count in
      require(causeway_floor_insert(floor, Int32(count)) == 0)
    } work: { _ in
      await attempt {
        try await service.write { transaction in
          try transaction.execute("DELETE FROM bulk")
          try transaction.insert(activities, into: "bulk")
        }
      }
    }
    try await database.close()
  }

  private mutating func measureDecoding() async throws {
    let database = try await Database()
    let (service, floor) = (database.service, database.floor)
    let count = 200_000
    try await service.write { try $0.insert((0..<count).map(Activity.init), into: "bulk") }
    require(causeway_floor_insert(floor, Int32(count)) == 0)
    try await measureDecoding(
      database, "decode 200,000 rows x 10 columns, for each row", "SELECT * FROM bulk",
      as: Activity.self, count)
    try await measureDecoding(
      database, "decode 200,000 rows x 3 columns, for each row",
      "SELECT id, name, start AS size FROM bulk", as: Berth.self, count)
    try await database.close()
  }

  private mutating func measureDecoding<Row: Decodable & Sendable>(
    _ database: Database, _ name: String, _ query: SQL, as type: Row.Type, _ count: Int
  ) async throws {
    let (service, floor) = (database.service, database.floor)
    let text = query.text
    await measure(name, target: "<= 3 x raw C", operations: count) { _ in
      require(causeway_floor_scan(floor, text) > 0)
    } work: { count in
      await attempt {
        let rows = try await service.read { try $0.rows(query, as: type) }
        require(rows.count == count)
      }
    }
  }

  private mutating func measureSingleRows() async throws {
    let database = try await Database()
    let (service, floor) = (database.service, database.floor)
    await measure(
      "a transaction of one row, NORMAL", target: "<= 1.67 x raw C", operations: 4_000
    ) { count in
      require(causeway_floor_single(floor, Int32(count)) == 0)
    } work: { count in
      await insertOneByOne(count, service)
    }
    // The main thread and a thread of the pool wake each other for each write.
    await measure(
      "a transaction of one row, NORMAL, from the main actor", target: "", operations: 4_000
    ) { count in
      require(causeway_floor_single(floor, Int32(count)) == 0)
    } work: { count in
      await attempt { try await insert(count, service) }
    }
    await measure("a read of one row, after a transaction", target: "", operations: 4_000) {
      count in
      require(causeway_floor_read(floor, Int32(count)) == 0)
    } work: { count in
      await readOneByOne(count, service)
    }
    try await database.close()
  }

  /// The floor reads all rows.
  private mutating func measureChangedRow() async throws {
    let database = try await Database()
    let (service, floor) = (database.service, database.floor)
    let count = 100_000
    try await service.write { try $0.insert((0..<count).map(Activity.init), into: "bulk") }
    require(causeway_floor_insert(floor, Int32(count)) == 0)
    var versions = service.observe("SELECT * FROM bulk ORDER BY id", as: Activity.self)
      .makeAsyncIterator()
    require(try await versions.next()?.count == count)
    var seats = 0
    await measure(
      "a live query of 100,000 rows x 10 columns after a change of one", target: "", operations: 1
    ) { _ in
      require(causeway_floor_scan(floor, "SELECT * FROM bulk ORDER BY id") > 0)
    } work: { _ in
      await attempt {
        seats -= 1
        let new = seats
        try await service.write {
          try $0.execute("UPDATE bulk SET seats = \(new) WHERE id = 50000")
        }
        require(try await versions.next()?[50_000].seats == new)
      }
    }
    try await measureFollowing(database)
    try await database.close()
  }

  /// Like ``measureChangedRow()``, for a consumer that does not need an array of all rows.
  private mutating func measureFollowing(_ database: Database) async throws {
    let (service, floor) = (database.service, database.floor)
    var versions = service.observe("SELECT * FROM bulk ORDER BY name, id", as: Activity.self)
      .versions.makeAsyncIterator()
    require(try await versions.next()?.count == 100_000)
    let before = causeway_peak_resident_bytes()
    var seats = 0
    await measure(
      "versions of a live query of 100,000 rows x 10 columns after a change of one",
      target: "<= 2 ms", operations: 1
    ) { _ in
      require(causeway_floor_scan(floor, "SELECT * FROM bulk ORDER BY id") > 0)
    } work: { _ in
      await attempt {
        seats -= 1
        let new = seats
        try await service.write {
          try $0.execute("UPDATE bulk SET seats = \(new) WHERE id = 50000")
        }
        let rows = try await versions.next()
        require(rows?.changedIDs == [50_000])
        require(rows?.index(of: 50_000).map { rows?[$0].seats == new } == true)
      }
    }
    let more = causeway_peak_resident_bytes() - before
    print("  the peak of the memory grew by \(more / 1024) KiB")
  }

  /// The floor is the same write without live queries.
  private mutating func measureLiveQueries() async throws {
    try await measureLiveQueries(
      "a write, with 100 identical live queries", target: "<= 1.5 x with none",
      (0..<100).map { _ in "SELECT * FROM single" }, deliversAll: true)
    try await measureLiveQueries(
      "a write, with 100 different live queries of its table", target: "",
      (0..<100).map { "SELECT * FROM single WHERE id <> \(-$0)" }, deliversAll: true)
    try await measureLiveQueries(
      "a write, with 1,000 live queries of another table", target: "<= 1.1 x with none",
      (0..<1_000).map { "SELECT id, name, start AS size FROM bulk WHERE id = \($0)" },
      deliversAll: false)
  }

  /// - Parameter deliversAll: Whether every write changes the rows of every query.
  private mutating func measureLiveQueries(
    _ name: String, target: String, _ queries: [SQL], deliversAll: Bool
  ) async throws {
    if let filter, !name.contains(filter) { return }
    let (watched, alone) = (try await Database(), try await Database())
    for database in [watched, alone] {
      try await database.service.write { transaction in
        for id in 1...20 {
          try transaction.execute("INSERT INTO single VALUES (\(id), 'live', 0)")
        }
      }
    }
    let deliveries = Deliveries()
    let consumers = queries.map { query in
      let query = watched.service.observe(query, as: Berth.self)
      return Task {
        for try await rows in query { deliveries.note(rows) }
      }
    }
    await deliveries.waitUntil { $0.count == queries.count }
    var writes = 0
    await measure(name, target: target, operations: 2_000) { count in
      await write(count, alone.service)
    } work: { count in
      await write(count, watched.service)
      writes += count
    }
    let sum = Double(writes)
    if deliversAll { await deliveries.waitUntil { $0.latest(sum) >= queries.count } }
    let count = deliveries.count - queries.count
    require(deliversAll ? count >= queries.count : count == 0)
    print(
      "  \(writes) writes, \(count) deliveries: "
        + "\(Double(count) / Double(writes * queries.count)) for each write and consumer")
    try await watched.close()
    try await alone.close()
    for consumer in consumers { try await consumer.value }
  }
}

/// Counts the versions that consumers of live queries receive.
private final class Deliveries: Sendable {
  private struct State {
    var count = 0
    /// How many consumers have received rows with this sum of sizes.
    var consumers: [Double: Int] = [:]
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.count } }

  /// The number of consumers that have received rows whose sizes add up to `sum`.
  func latest(_ sum: Double) -> Int { state.withLock { $0.consumers[sum] ?? 0 } }

  func note(_ rows: [Berth]) {
    let sum = rows.reduce(0) { $0 + $1.size }
    state.withLock { state in
      state.count += 1
      state.consumers[sum, default: 0] += 1
    }
  }

  func waitUntil(_ condition: (Deliveries) -> Bool) async {
    while !condition(self) { try? await Task.sleep(for: .milliseconds(1)) }
  }
}

/// Inserts rows off the main actor, as a repository does.
@concurrent private func insertOneByOne(_ count: Int, _ service: SQLiteService) async {
  await attempt { try await insert(count, service) }
}

private func insert(_ count: Int, _ service: SQLiteService) async throws {
  for size in 0..<count {
    try await service.write {
      try $0.execute("INSERT INTO single (name, size) VALUES (\("a row of its own"), \(size))")
    }
  }
}

/// Reads the first row off the main actor.
@concurrent private func readOneByOne(_ count: Int, _ service: SQLiteService) async {
  await attempt {
    for _ in 0..<count {
      let row = try await service.read {
        try $0.row("SELECT id, name, size FROM single WHERE id = 1", as: Berth.self)
      }
      require(row != nil)
    }
  }
}

private func write(_ count: Int, _ service: SQLiteService) async {
  await attempt {
    for size in 0..<count {
      try await service.write {
        try $0.execute("UPDATE single SET size = size + 1 WHERE id = \(size % 20 + 1)")
      }
    }
  }
}

/// Ends the program if the work failed, because its time would have no meaning.
private func require(_ condition: Bool, line: Int = #line) {
  guard condition else { fatalError("the benchmark at line \(line) did not do its work") }
}

private func attempt(_ body: () async throws -> Void) async {
  do { try await body() } catch { fatalError("\(error)") }
}
