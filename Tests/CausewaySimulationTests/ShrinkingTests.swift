import CausewayData
import Testing

@testable import CausewaySimulation

@Suite struct ShrinkingTests {
  /// A failure of two requests of different clients that overlap.
  private func overlap(seed: UInt64) throws {
    try simulate(seeds: seed..<seed + 50, for: .seconds(60)) { world in
      let overlaps = Counter()
      let server = world.node("server") { node in
        let begun = Counter()
        let ended = Counter()
        node.serve { _ in
          begun.increase()
          if begun.value - ended.value > 1 { overlaps.increase() }
          try await node.clock.sleep(for: .milliseconds(20))
          ended.increase()
          return NetworkResponse(status: 200)
        }
      }
      let clients = (1...2).map { number in
        world.node("client \(number)") { node in node.network(to: server.id) }
      }
      world.faults = [.latency(.milliseconds(1) ... .milliseconds(40))]
      world.script(on: clients, actions: 20) { network, _ in
        _ = try await network.response(for: NetworkRequest(.post, "/add"))
      }
      return overlaps
    } check: { world, overlaps in
      try world.require(overlaps.value == 0, "requests overlap")
    }
  }

  @Test(arguments: [UInt64](0..<10).map { $0 * 100 })
  func `most actions are left out of a failure that needs two`(seed: UInt64) throws {
    let failure = try #require(throws: SimulationFailure.self) { try overlap(seed: seed) }
    let removed = failure.identity.removed.count {
      if case .action = $0 { true } else { false }
    }
    #expect(40 - removed <= 3, "\(failure.replay)")
  }

  @Test func `a failure is only shortened to the same failure`() {
    let failure = TrialFailure.requirement("balance 1 after 2 deposits")
    #expect(failure.isLike(.requirement("balance 3 after 4 deposits")))
    #expect(!failure.isLike(.requirement("the phones disagree")))
    #expect(!failure.isLike(.deadlock("the check")))
    #expect(!TrialFailure.start("a", "full").isLike(.start("b", "full")))
  }
}
