import CausewayData
import CausewaySimulation
import Foundation
import Synchronization
import Testing

@Suite struct FaultTests {
  /// A program that performs an effect and then stores its receipt.
  private func receipts(_ faults: [SimulationFault]) throws {
    try simulate(seeds: 0..<100, for: .seconds(10), settling: .seconds(30), shrinks: 0) { world in
      let node = world.node("program") { node in
        (
          effects: node.stored("effects") { Counter() },
          receipts: node.stored("receipts") { Counter() }
        )
      }
      world.faults = faults
      world.script(on: [node], actions: 5, pause: .zero ... .seconds(1)) { root, _ in
        root.effects.increase()
        await faultPoint("after the effect")
        root.receipts.increase()
      }
      return node
    } check: { world, node in
      guard let root = node.root else { throw CancellationError() }
      let (effects, receipts) = (root.effects.value, root.receipts.value)
      try world.require(effects == receipts, "\(effects) effects and \(receipts) receipts")
    }
  }

  @Test func `a node crashes at a named fault point, and only with the fault`() throws {
    try receipts([])
    let failure = #expect(throws: SimulationFailure.self) {
      try receipts([.faultPoints(0.1, pause: .zero ... .seconds(1))])
    }
    #expect(failure?.timeline.contains("ends at the fault point after the effect") == true)
    #expect(failure?.isDeterministic == true)
  }

  @Test func `a fault point outside a simulation does nothing`() async {
    await faultPoint("outside")
  }

  @Test func `a date drifts and jumps`() throws {
    let differences = Values<Double>()
    try simulate(seeds: 0..<10, for: .seconds(1_000)) { world in
      let node = world.node("node") { $0 }
      world.faults = [
        .clockDrift(partsPerMillion: 10_000),
        .clockJumps(of: [node.id], every: .seconds(300), by: .seconds(100)),
      ]
      world.script(on: [node], actions: 100, pause: .seconds(1) ... .seconds(10)) { node, _ in
        let simulated = node.clock.now.offset / .seconds(1)
        differences.add(node.date.timeIntervalSince1970 - 1_750_000_000 - simulated)
      }
    }
    let all = differences.all
    #expect(all.contains { $0 > 10 } && all.contains { $0 < -10 })
    #expect(zip(all, all.dropFirst()).contains { abs($0 - $1) > 20 })
    #expect(zip(all, all.dropFirst()).contains { abs($0 - $1) > 0.001 && abs($0 - $1) < 0.2 })
  }

  @Test func `each seed has its own mix of faults, and keeps it`() throws {
    func mixes() throws -> [String] {
      let mixes = Values<String>()
      try simulate(seeds: 0..<50, for: .seconds(1)) { world in
        let node = world.node("node") { $0 }
        let faults = world.swarm(of: [node.id], kinds: .all.subtracting(.badDisks))
        #expect(!faults.contains { if case .disk(.full, _, _, _) = $0 { true } else { false } })
        mixes.add("\(faults)")
      }
      return mixes.all
    }
    let first = try mixes()
    #expect(Set(first).count > 45)
    #expect(try first == mixes())
  }
}

/// Values of several trials, in order.
private final class Values<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  var all: [Value] { values.withLock { $0 } }
  func add(_ value: Value) { values.withLock { $0.append(value) } }
}
