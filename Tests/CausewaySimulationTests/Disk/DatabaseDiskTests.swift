import CausewayData
import CausewaySQLite
import CausewaySimulation
import Testing

private let migrations: [Migration] = [
  Migration("entries", "CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
]

/// A program that writes rows and notes which writes have returned.
private struct Journal: Sendable {
  let service: SQLiteService
  /// The rows whose write has returned, across all runs of the node.
  let committed: Counter

  init(_ node: NodeContext, _ synchronous: SQLiteConfiguration.Synchronous) async throws {
    service = try await node.database(
      "journal.db", migrations: migrations,
      configuration: SQLiteConfiguration(synchronous: synchronous))
    committed = node.stored("committed") { Counter() }
  }

  func add() async throws {
    try await service.write {
      // The row is larger than a sector and smaller than a page.
      try $0.execute("INSERT INTO entry (text) VALUES (\(String(repeating: "x", count: 1_500)))")
    }
    committed.increase()
  }

  var count: Int {
    get async throws {
      try await service.read { try $0.row("SELECT count(*) FROM entry", as: Int.self) ?? -1 }
    }
  }
}

@Suite struct DatabaseDiskTests {
  @discardableResult private func journal(
    seeds: Range<UInt64>, _ synchronous: SQLiteConfiguration.Synchronous = .full,
    losesPower: Bool = true, disk: DiskFault? = nil, requiresAll: Bool = true
  ) throws -> SimulationSummary {
    try simulate(seeds: seeds, for: .seconds(120), settling: .seconds(10)) { world in
      let node = world.node("journal") { try await Journal($0, synchronous) }
      let down: ClosedRange<Duration> = .zero ... .milliseconds(100)
      world.faults = [
        losesPower
          ? .powerLoss(of: [node.id], every: .seconds(4), down: down)
          : .crashes(of: [node.id], every: .seconds(4), down: down),
        .crashes(of: [node.id], every: .seconds(20), down: down),
        .tornSectors(of: [node.id]),
      ]
      if let disk {
        world.faults.append(
          .disk(disk, of: [node.id], every: .seconds(10), lasting: .zero ... .seconds(4)))
      }
      world.script(
        on: [node, node], actions: 60, pause: .zero ... .seconds(2), expectsErrors: true
      ) { journal, _ in
        try await journal.add()
      }
      return node
    } check: { world, node in
      guard let journal = node.root else { throw CancellationError() }
      try await journal.service.checkIntegrity()
      let (count, committed) = (try await journal.count, journal.committed.value)
      if requiresAll {
        try world.require(count >= committed, "\(count) of \(committed) committed rows are left")
      }
    }
  }

  @Test(arguments: [false, true])
  func `a database keeps all committed rows`(losesPower: Bool) throws {
    let summary = try journal(seeds: 0..<25, losesPower: losesPower)
    #expect(summary.crashes > 250)
  }

  @Test func `without full synchronisation, only a power failure undoes commits`()
    throws
  {
    #expect(try journal(seeds: 0..<20, .normal, losesPower: false).crashes > 200)
    let failure = #expect(throws: SimulationFailure.self) {
      try journal(seeds: 0..<1_000, .normal)
    }
    #expect(failure?.reason.contains("committed rows are left") == true)
    #expect(failure?.isDeterministic == true)
    // The file is not damaged even then.
    try journal(seeds: 0..<20, .normal, requiresAll: false)
  }

  @Test(
    arguments: [
      DiskFault.full, .readOnly, .failing, .failingSync, .slow(.milliseconds(1) ... .seconds(1)),
    ])
  func `a database on a bad disk loses no committed row`(fault: DiskFault) throws {
    try journal(seeds: 0..<20, disk: fault)
  }

  @Test func `the same seed loses the same bytes`() throws {
    #expect(
      try journal(seeds: 7..<9).trace == journal(seeds: 7..<9).trace)
  }
}
