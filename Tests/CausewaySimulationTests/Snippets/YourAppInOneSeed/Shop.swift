import CausewaySimulation
import Testing

// snippet
actor Till {
  private(set) var sales = 0

  func charge(_ clock: some Clock<Duration>) async throws {
    try await clock.sleep(for: .milliseconds(200))
    sales += 1
  }
}

actor Shop {
  private(set) var stock = 1

  func buy(_ till: Till, _ clock: some Clock<Duration>) async throws {
    guard stock > 0 else { return }
    try await till.charge(clock)
    stock -= 1
  }
}
// end

// snippet
func sell(_ seeds: Range<UInt64>) throws {
  try simulate(seeds: seeds, for: .seconds(10)) { world in
    let node = world.node("shop") { node in (shop: Shop(), till: Till(), clock: node.clock) }
    world.script(on: [node, node], actions: 2, pause: .zero ... .seconds(1)) { root, _ in
      try await root.shop.buy(root.till, root.clock)
    }
    return node
  } check: { world, node in
    let sales = await node.root?.till.sales ?? 0
    try world.require(sales == 1, "\(sales) sales of one item")
  }
}
// end

@Suite struct ShopTests {
  // snippet
  @Test func `a shop with one item sells it twice`() {
    let failure = #expect(throws: SimulationFailure.self) { try sell(0..<100) }
    #expect(failure?.reason == "2 sales of one item")
  }
  // end
}
