import CausewayData
import CausewaySQLite
import CausewaySimulation
import Testing

private typealias History = TransactionHistory<String, Int>

@Suite struct TransactionTests {
  private func levels(broken history: History) -> [IsolationLevel] {
    IsolationLevel.allCases.filter { history.violation(of: $0) != nil }
  }

  @Test func `transactions in a row keep the promises of all levels`() async {
    let history = History()
    for number in 1...1_000 {
      await history.record(appending: ["x": [number]]) { ["x": Array(1..<number)] }
    }
    #expect(levels(broken: history) == [])
  }

  @Test func `a lost update breaks snapshot isolation`() async {
    let history = History()
    await history.record(appending: ["x": [1]]) {
      await history.record(appending: ["x": [2]]) { ["x": []] }
      return ["x": []]
    }
    await history.record { ["x": [2, 1]] }
    #expect(levels(broken: history) == [.snapshot, .serializable, .strictSerializable])
    let text = history.violation(of: .snapshot)?.description
    #expect(text?.contains("#0 read x before #1 appended to it") == true, "\(text ?? "")")
    #expect(text?.contains("#0 appended to x after #1") == true)
    #expect(text?.contains("#1: read x []; appended x [2]") == true)
  }

  @Test func `a snapshot allows write skew, and a serializable history does not`() async {
    let history = History()
    await history.record(appending: ["y": [1]]) {
      await history.record(appending: ["x": [1]]) { ["y": []] }
      return ["x": []]
    }
    await history.record { ["x": [1], "y": [1]] }
    #expect(levels(broken: history) == [.serializable, .strictSerializable])
  }

  @Test func `a snapshot is of one moment`() async {
    let history = History()
    await history.record(appending: ["x": [1], "y": [1]]) { [:] }
    await history.record { ["x": [1], "y": []] }
    #expect(levels(broken: history) == [.snapshot, .serializable, .strictSerializable])
  }

  @Test func `a read of old values breaks only the order in time`() async throws {
    let history = History()
    for _ in 0..<3 { await history.record { ["y": []] } }
    await history.record(appending: ["x": [1]]) { [:] }
    for _ in 0..<3 { await history.record { ["y": []] } }
    await history.record { ["x": []] }
    #expect(levels(broken: history) == [.strictSerializable])
    let text = try #require(history.violation(of: .strictSerializable)).description
    #expect(text.contains("#3 ended before #7 began"), "\(text)")
  }

  @Test func `two transactions that read each other break all levels`() async {
    let history = History()
    await history.record(appending: ["x": [1]]) {
      await history.record(appending: ["y": [1]]) { ["x": [1]] }
      return ["y": [1]]
    }
    #expect(levels(broken: history) == IsolationLevel.allCases)
  }

  private struct RolledBack: Error {}
  private struct Unknown: Error {}

  @Test func `a transaction with an unknown outcome may have happened, or not`() async {
    let history = History()
    for number in 1...2 {
      _ = try? await history.record(appending: ["x": [number]]) { throw Unknown() }
    }
    await history.record { ["x": []] }
    #expect(levels(broken: history) == [])
    await history.record { ["x": [2]] }
    #expect(levels(broken: history) == [])
  }

  @Test func `the values of a transaction that was rolled back must not be read`() async {
    let history = History()
    _ = try? await history.record(
      appending: ["x": [1]], isRolledBack: { $0 is RolledBack }, { throw RolledBack() })
    #expect(levels(broken: history) == [])
    await history.record { ["x": [1]] }
    #expect(history.violation(of: .readCommitted)?.kind == .abortedRead)
  }

  @Test func `a single list shows impossible reads`() async {
    func kind(_ reads: [[Int]]) async -> IsolationViolation.Kind? {
      let history = History()
      await history.record(appending: ["x": [1, 2]]) { [:] }
      await history.record(appending: ["x": [3]]) { [:] }
      for read in reads { await history.record { ["x": read] } }
      return history.violation(of: .readCommitted)?.kind
    }
    #expect(await kind([[1, 2, 3], [1, 2]]) == nil)
    #expect(await kind([[1, 2, 3], [3]]) == .contradictingOrders)
    #expect(await kind([[1]]) == .intermediateRead)
    #expect(await kind([[1, 2, 1, 2]]) == .duplicate)
    #expect(await kind([[4]]) == .unknownValue)
  }

  @Test func `a random serial history is serializable, and one swapped read is found`() async {
    for seed in UInt64(0)..<50 {
      var random = SimulationRandom(seed: seed)
      var lists: [String: [Int]] = ["x": [], "y": [], "z": []]
      let history = History()
      var number = 0
      func act() async {
        let keys = ["x", "y", "z"].filter { _ in Bool.random(using: &random) }
        let reads = lists.filter { _ in Bool.random(using: &random) }
        var appends: [String: [Int]] = [:]
        for key in keys {
          number += 1
          appends[key] = [number]
          lists[key, default: []].append(number)
        }
        await history.record(appending: appends) { reads }
      }
      for _ in 0..<60 { await act() }
      #expect(levels(broken: history) == [], "seed \(seed)")
      // A snapshot of two moments: the new value of one list, and the old one of another.
      await history.record(appending: ["x": [-1], "y": [-1]]) { [:] }
      await history.record { ["x": (lists["x"] ?? []) + [-1], "y": lists["y"] ?? []] }
      #expect(history.violation(of: .snapshot)?.kind == .cycle, "seed \(seed)")
    }
  }

  // MARK: - SQLite

  private struct Entry: Codable { var value: Int }

  private static func values(of list: String, _ transaction: any ReadTransaction) throws -> [Int] {
    try transaction.rows(
      "SELECT value FROM entry WHERE list = \(list) ORDER BY id", as: Entry.self
    ).map(\.value)
  }

  /// Clients that append to lists of a database whose process crashes and loses its power.
  private func lists(_ seeds: Range<UInt64>, readsOutside: Bool) throws {
    try simulate(seeds: seeds, for: .seconds(60), shrinks: 0) { world in
      let history = History()
      let node = world.node("phone") { node in
        let database = try await node.database(
          "lists.db",
          migrations: [
            Migration(
              "entry",
              """
              CREATE TABLE entry (
                id INTEGER PRIMARY KEY, list TEXT NOT NULL, value INTEGER NOT NULL
              )
              """)
          ])
        return (database: database, numbers: node.stored("numbers") { Counter() })
      }
      world.faults = [
        .powerLoss(of: [node.id], every: .seconds(20), down: .zero ... .seconds(1))
      ]
      world.script(
        on: [node, node, node], actions: 15, pause: .zero ... .seconds(2)
      ) { root, random in
        let (read, written) = Bool.random(using: &random) ? ("x", "y") : ("y", "x")
        root.numbers.increase()
        let value = root.numbers.value
        try await history.record(appending: [written: [value]]) {
          let early =
            readsOutside ? try await root.database.read { try Self.values(of: read, $0) } : nil
          return try await root.database.write { transaction in
            let values = try early ?? Self.values(of: read, transaction)
            try transaction.execute(
              "INSERT INTO entry (list, value) VALUES (\(written), \(value))")
            return [read: values]
          }
        }
      }
      return history
    } check: { world, history in
      let violation = history.violation(of: .strictSerializable)
      try world.require(violation == nil, "\(violation?.description ?? "")")
    }
  }

  @Test func `transactions of SQLite are strictly serializable, despite power failures`() throws {
    try lists(0..<20, readsOutside: false)
  }

  @Test func `a read outside of its transaction is found`() throws {
    let failure = #expect(throws: SimulationFailure.self) {
      try lists(0..<1_000, readsOutside: true)
    }
    #expect(failure?.reason.contains("cycle") == true, "\(failure?.reason ?? "")")
  }
}
