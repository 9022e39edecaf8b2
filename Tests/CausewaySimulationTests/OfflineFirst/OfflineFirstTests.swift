import CausewayData
import CausewaySQLite
import CausewaySimulation
import Testing

/// The data layer of one client.
private struct Phone: Sendable {
  let engine: SyncEngine<BoardSource>
  let persistence: InMemoryPersistenceService
  /// The mutations that `perform` has accepted.
  let accepted: Counter

  init(_ node: NodeContext, server: NodeID) throws {
    persistence = try node.stored("board.db") {
      try InMemoryPersistenceService(migrations: noteMigrations)
    }
    accepted = node.stored("accepted") { Counter() }
    let outbox = Outbox(
      persistence: persistence, session: SessionService(account: .local),
      environment: node.syncEnvironment)
    engine = SyncEngine(
      source: BoardSource(network: node.network(to: server)), table: notes, scope: .all,
      outbox: outbox, pollInterval: .seconds(5))
    _ = Task { [engine] in
      async let sending: Void = outbox.run()
      async let reading: Void = engine.run()
      _ = await (sending, reading)
    }
  }

  var rows: [Note] {
    get async throws {
      try await persistence.read {
        try $0.rows("SELECT id, stars FROM note ORDER BY id", as: Note.self)
      }
    }
  }
}

@Suite struct OfflineFirstTests {
  private func board(
    seeds: Range<UInt64>, lasting duration: Duration = .seconds(200), checksKeys: Bool = true
  ) throws -> SimulationSummary {
    try simulate(seeds: seeds, for: duration, settling: .seconds(100)) { world in
      let server = world.node("server") { node in
        let server = BoardServer(
          store: node.stored("rows") { BoardStore() }, checksKeys: checksKeys)
        server.serve(node)
        return server
      }
      let phones = (1...3).map { number in
        world.node("phone \(number)") { try Phone($0, server: server.id) }
      }
      world.faults = [
        .latency(.milliseconds(1) ... .milliseconds(40)), .loss(0.1), .duplicates(0.05),
        .partitions(every: .seconds(60), lasting: .seconds(5) ... .seconds(60)),
        .crashes(
          of: [server.id] + phones.map(\.id), every: .seconds(30), down: .zero ... .seconds(20)),
      ]
      world.script(on: phones, actions: 10, pause: .zero ... .seconds(20)) { phone, random in
        let id = "note \(Int.random(in: 1...3, using: &random))"
        let isNew = Int.random(in: 1...4, using: &random) == 1
        try await phone.engine.perform(isNew ? .write(Note(id: id)) : .star(id: id))
        phone.accepted.increase()
      }
      return (server, phones)
    } check: { world, nodes in
      guard let server = nodes.0.root else { return }
      let stored = server.store.read { $0.notes.values.sorted { $0.id < $1.id } }
      for phone in nodes.1 {
        let rows = try await phone.root?.rows
        try world.require(rows == stored, "\(phone.name) has \(rows ?? []), the server \(stored)")
      }
      let accepted = nodes.1.reduce(0) { $0 + ($1.root?.accepted.value ?? 0) }
      let applied = server.store.read(\.applied)
      try world.require(
        applied >= accepted, "\(accepted) accepted mutations, \(applied) applied")
      try world.require(applied <= 30, "\(applied) mutations of 30 actions")
    }
  }

  @Test func `three clients agree with the server, despite lost messages and crashes`() throws {
    let summary = try board(seeds: 0..<8)
    #expect(summary.crashes > 20)
  }

  @Test func `the same seeds take the same steps again`() throws {
    let first = try board(seeds: 100..<102)
    let second = try board(seeds: 100..<102)
    #expect(first == second)
    #expect(first.trace != (try board(seeds: 102..<103)).trace)
  }

  @Test func `a server that does not recognise a repeated mutation is found`() {
    let failure = #expect(throws: SimulationFailure.self) {
      try board(seeds: 0..<1_000, lasting: .seconds(60), checksKeys: false)
    }
    #expect(failure?.isDeterministic == true)
  }
}
