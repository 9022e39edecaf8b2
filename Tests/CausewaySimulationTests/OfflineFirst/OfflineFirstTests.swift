import CausewayData
import CausewaySQLite
import CausewaySimulation
import Testing

/// A server and three phones, each with a database on the disk of its node.
struct Board: Sendable {
  var serverBug: BoardServer.Bug?
  var sourceBug: BoardSource.Bug?
  var usesHints = false
  /// Whether users undo edits, servers refuse edits, and requests have the form of a real service.
  var isLively = false
  var actions = 10
  var duration = Duration.seconds(200)
  var search = Campaign.search
  /// Whether each seed draws its own mix of faults.
  var isSwarm = false
  var wrap: @Sendable (SQLiteService) -> any PersistenceService = { $0 }
  /// Faults in addition to the faults of the network.
  var faults: @Sendable (_ server: NodeID, _ phones: [NodeID]) -> [SimulationFault] = {
    server, phones in
    let all = [server] + phones
    return [
      .crashes(of: all, every: .seconds(40), down: .zero ... .seconds(20)),
      .powerLoss(of: all, every: .seconds(40), down: .zero ... .seconds(20)),
      .disk(
        .slow(.milliseconds(1) ... .seconds(1)), of: all, every: .seconds(20),
        lasting: .zero ... .seconds(20)),
    ]
  }

  @discardableResult
  func simulate(
    _ seeds: Range<UInt64>, shrinks: Int = 150, replaying replay: String? = nil
  ) throws -> SimulationSummary {
    try simulateWorld(
      seeds, replay, for: duration, settling: .seconds(200), search: search, shrinks: shrinks
    ) { world in
      let server = world.node("server") { try await BoardServer($0, bug: serverBug) }
      let phones = (1...3).map { number in
        world.node("phone \(number)") { node in
          try await Phone(
            node,
            source: BoardSource(
              network: isLively ? node.httpNetwork(to: server.id) : node.network(to: server.id),
              usesHints: usesHints, isLively: isLively, bug: sourceBug),
            pollInterval: usesHints ? nil : .seconds(5), wrap: wrap)
        }
      }
      world.faults =
        isSwarm
        ? world.swarm(
          of: [server.id] + phones.map(\.id),
          kinds: [.messages, .partitions, .crashes, .powerLoss, .slowDisks])
        : [
          .latency(.milliseconds(1) ... .milliseconds(40)), .loss(0.1), .duplicates(0.05),
          .partitions(every: .seconds(60), lasting: .seconds(5) ... .seconds(60)),
        ] + faults(server.id, phones.map(\.id))
      world.script(
        on: phones, actions: actions, pause: .zero ... .seconds(20), expectsErrors: true
      ) { phone, random in
        let id = "note \(Int.random(in: 1...3, using: &random))"
        if isLively, try await Self.changeMind(phone, id, world, &random) { return }
        let action = try await phone.star(id)
        if try await !phone.shows(action, id) { world.fail("\(action) is not shown") }
        try await SimulationClock().sleep(for: random.duration(in: .zero ... .seconds(5)))
        if try await !phone.shows(action, id) { world.fail("\(action) is no longer shown") }
        if let problem = try await phone.hiddenEdit { world.fail(problem) }
      }
      return (server, phones)
    } check: { world, nodes in
      guard let server = nodes.0.root else { return world.fail("the server is down") }
      let stored = try await server.notes(of: "local")
      for phone in nodes.1 {
        let rows = try await phone.root?.rows
        try world.require(rows == stored, "\(phone.name) has \(rows ?? []), the server \(stored)")
      }
      let accepted = nodes.1.flatMap { $0.root?.accepted.all ?? [] }
      let applied = try await server.applied
      let lost = Set(accepted).subtracting(applied).sorted()
      try world.require(lost.isEmpty, "lost: \(lost)")
      try world.require(applied.count == Set(applied).count, "applied twice: \(applied)")
      let stars = stored.reduce(0) { $0 + $1.stars.count }
      try world.require(
        isLively || stars == applied.count, "\(stars) stars after \(applied.count) mutations")
    }
  }
}

extension Board {
  /// Makes an edit that the server refuses or that the user undoes; returns whether it did so.
  private static func changeMind(
    _ phone: Phone, _ id: String, _ world: World, _ random: inout SimulationRandom
  ) async throws -> Bool {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: try await phone.starInVain(id)
    case 1:
      let pause = random.duration(in: .zero ... .milliseconds(500))
      if let action = try await phone.starAndUndo(id, after: pause),
        try await phone.shows(action, id)
      {
        world.fail("\(action) is shown, but was undone")
      }
    // Several edits of one note wait together.
    case 2: for _ in 1...3 { _ = try await phone.star(id) }
    case 3: _ = try await phone.star(BoardServer.alternating)
    case 4: _ = try await phone.star(BoardServer.ignored)
    default: return false
    }
    if let problem = try await phone.hiddenEdit { world.fail(problem) }
    return true
  }
}

@Suite struct OfflineFirstTests {
  @Test func `refused and undone edits are not shown, and each other edit is sent once`() throws {
    let summary = try Board(usesHints: true, isLively: true).simulate(0..<10)
    #expect(summary.crashes > 80)
  }

  @Test(arguments: [false, true])
  func `three clients lose no edit and repeat none, despite crashes and power failures`(
    usesHints: Bool
  ) throws {
    let summary = try Board(usesHints: usesHints).simulate(0..<10)
    #expect(summary.crashes > 80)
  }

  @Test(arguments: [DiskFault.full, .failing, .readOnly])
  func `bad disks delay the clients, and no edit is lost`(fault: DiskFault) throws {
    let board = Board(faults: { server, phones in
      [
        .disk(fault, of: [server] + phones, every: .seconds(20), lasting: .zero ... .seconds(20)),
        .powerLoss(of: [server] + phones, every: .seconds(60), down: .zero ... .seconds(20)),
      ]
    })
    try board.simulate(0..<5)
  }

  @Test func `the same seeds take the same steps again`() throws {
    let first = try Board().simulate(100..<102)
    #expect(try first == Board().simulate(100..<102))
    #expect(first.trace != (try Board().simulate(102..<103)).trace)
  }
}
