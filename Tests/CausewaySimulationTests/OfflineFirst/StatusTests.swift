import CausewayData
import CausewaySimulation
import Testing

/// Compares the status that a person sees with the truth, while the server is lost and returns.
@Suite struct StatusTests {
  /// The longest time until a phone notices a lost server that does not close its connections.
  private static let loss = Duration.seconds(20)
  /// The longest time until a phone knows that a server is back.
  private static let returning = Duration.seconds(18)

  @Test func `the status is true after each loss and each return, and changes are sent at once`()
    throws
  {
    let summary = try simulateWorld(
      0..<20, nil, for: .seconds(1_500), settling: .seconds(100), shrinks: 20
    ) { world in
      let server = world.node("server") { try await BoardServer($0) }
      let phone = world.node("phone") { node in
        try await Phone(
          node, source: BoardSource(network: node.network(to: server.id), usesHints: true),
          pollInterval: nil)
      }
      world.faults = [.latency(.milliseconds(1) ... .milliseconds(40))]
      world.script(on: [phone], actions: 1) { phone, random in
        for _ in 1...4 { try await Self.lose(server, phone, world, &random) }
      }
      return (server, phone)
    } check: { world, nodes in
      let pending = await nodes.1.root?.status?.pendingCount
      try world.require(pending == 0, "\(pending.map(String.init) ?? "?") changes wait")
    }
    #expect(summary.crashes >= 60)
  }

  /// Ends the server for some time, and checks the status before, meanwhile and after that.
  private static func lose(
    _ server: SimulatedNode<BoardServer>, _ phone: Phone, _ world: World,
    _ random: inout SimulationRandom
  ) async throws {
    let clock = SimulationClock()
    try await clock.sleep(for: random.duration(in: returning ... .seconds(60)))
    let before = await phone.phase
    if before != .upToDate { world.fail("\(before) is shown before the loss") }
    server.crash()
    if random.next() % 2 == 0 { _ = try await phone.star("note 1") }
    try await clock.sleep(for: loss)
    // The status stays true for an outage of any length.
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let phase = await phone.phase
      if phase != .offline { world.fail("\(phase) is shown while the server is down") }
      try await clock.sleep(for: random.duration(in: .seconds(1) ... .seconds(60)))
    }
    let action = try await phone.star("note 2")
    server.restart()
    try await clock.sleep(for: returning)
    let phase = await phone.phase
    if phase != .upToDate { world.fail("\(phase) is shown after the return") }
    if try await server.root?.applied.contains(action) != true {
      world.fail("\(action) was not sent soon after the return")
    }
  }
}

extension Phone {
  /// The newest status of the engine.
  fileprivate var status: SyncStatus? {
    get async {
      for await status in engine.statuses() { return status }
      return nil
    }
  }

  fileprivate var phase: SyncStatus.Phase { get async { await status?.phase ?? .idle } }
}
