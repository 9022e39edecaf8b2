import CausewayData
import Synchronization
import Testing

@testable import CausewayExploration
@testable import CausewaySimulation

private enum Command: Sendable {
  case write(Int)
  case read
}

/// A register that returns its value after each command.
private let register = SequentialModel<Int, Command, Int>(0) { value, command in
  if case .write(let new) = command { value = new }
  return value
}

@Suite struct LinearizabilityTests {
  /// Three clients of a server with one register.
  ///
  /// - Parameter isCached: Whether a client reads a known value from its own memory and not from
  ///   the server.
  private func clients(seeds: Range<UInt64>, isCached: Bool) throws {
    try simulate(seeds: seeds, for: .seconds(60), settling: .seconds(60)) { world in
      let history = OperationHistory<Command, Int>()
      let server = world.node("server") { node in
        let value = node.stored("value") { Cell() }
        node.serve { request in
          if case .bytes(let bytes, _) = request.body { value.set(Int(bytes.first ?? 0)) }
          return NetworkResponse(status: 200, body: [UInt8(value.get())])
        }
      }
      let clients = (1...3).map { number in
        world.node("client \(number)") { node in
          (network: node.network(to: server.id), cache: Cell())
        }
      }
      world.faults = [.latency(.milliseconds(1) ... .milliseconds(500)), .loss(0.05)]
      world.script(
        on: clients, actions: 8, pause: .zero ... .seconds(1), expectsErrors: true
      ) { client, random in
        let number = UInt8.random(in: 1...9, using: &random)
        if Bool.random(using: &random) {
          _ = try await history.record(.write(Int(number))) {
            _ = try await client.network.response(
              for: NetworkRequest(.post, "/", body: .bytes([number], type: "application/x")))
            return Int(number)
          }
        } else {
          _ = try await history.record(.read) {
            let known = client.cache.get()
            if isCached, known != 0 { return known }
            let answer = try await client.network.response(for: NetworkRequest(.get, "/"))
            client.cache.set(Int(answer.body[0]))
            return Int(answer.body[0])
          }
        }
      }
      return history
    } check: { world, history in
      try world.require(history.isLinearizable(register), "no order explains\n\(history)")
    }
  }

  @Test func `one register on one server is linearizable, even if messages are lost`() throws {
    try clients(seeds: 0..<20, isCached: false)
  }

  @Test func `a cache that is never renewed is found`() {
    let failure = #expect(throws: SimulationFailure.self) {
      try clients(seeds: 0..<100, isCached: true)
    }
    #expect(failure?.reason.hasPrefix("no order explains") == true)
  }

  @Test func `an operation with an unknown outcome may have taken effect or not`() async throws {
    struct Lost: Error {}
    for seen in [0, 5] {
      let history = OperationHistory<Command, Int>()
      await #expect(throws: Lost.self) {
        try await history.record(.write(5)) { throw Lost() }
      }
      _ = await history.record(.read) { seen }
      #expect(history.isLinearizable(register))
      _ = await history.record(.read) { 6 }
      #expect(!history.isLinearizable(register))
    }
  }

  @Test func `a later operation cannot see an older value`() async {
    let history = OperationHistory<Command, Int>()
    _ = await history.record(.write(1)) { 1 }
    _ = await history.record(.write(2)) { 2 }
    _ = await history.record(.read) { 1 }
    #expect(!history.isLinearizable(register))
  }

  @Test func `a thousand operations of ten clients are checked`() throws {
    try simulate(seeds: 1..<9, for: .seconds(60), settling: .seconds(5)) { world in
      let history = OperationHistory<Command, Int>()
      let node = world.node("register") { node in (cell: Cell(), clock: node.clock) }
      let clients = Array(repeating: node, count: 10)
      // Each client performs its operations one after the other.
      world.script(on: clients, actions: 1, pause: .zero ... .milliseconds(100)) { root, random in
        for _ in 0..<100 {
          try await root.clock.sleep(for: random.duration(in: .zero ... .milliseconds(50)))
          let number = Bool.random(using: &random) ? Int.random(in: 1...9, using: &random) : nil
          let before = random.duration(in: .zero ... .milliseconds(50))
          let after = random.duration(in: .zero ... .milliseconds(50))
          _ = try await history.record(number.map { .write($0) } ?? .read) {
            try await root.clock.sleep(for: before)
            if let number { root.cell.set(number) }
            let value = root.cell.get()
            try await root.clock.sleep(for: after)
            return value
          }
        }
      }
      return history
    } check: { world, history in
      try world.require(history.isLinearizable(register), "no order explains\n\(history)")
    }
  }

  @Test func `random histories have the same result as a search of all orders`() {
    typealias Operation = OperationHistory<Command, Int>.Operation
    var counts = [true: 0, false: 0]
    for seed in UInt64(0)..<2_000 {
      var random = SimulationRandom(seed: seed)
      let count = Int.random(in: 1...5, using: &random)
      let events = Array(1...2 * count).shuffled(using: &random)
      let operations = (0..<count).map { index -> Operation in
        let (one, two) = (events[2 * index], events[2 * index + 1])
        let isKnown = random.happens(0.8)
        return Operation(
          input: random.happens(0.5) ? .read : .write(Int.random(in: 1...2, using: &random)),
          begin: min(one, two), end: isKnown ? max(one, two) : nil,
          output: isKnown ? Int.random(in: 0...2, using: &random) : nil)
      }.sorted { $0.begin < $1.begin }
      /// Whether the operations that are left can follow a state, in some order.
      func canEnd(_ left: [Operation], _ state: Int) -> Bool {
        if left.allSatisfy({ $0.end == nil }) { return true }
        return left.indices.contains { index in
          var rest = left
          let operation = rest.remove(at: index)
          guard !rest.contains(where: { ($0.end ?? .max) < operation.begin }) else { return false }
          var state = state
          let output = register.apply(&state, operation.input)
          return (operation.output ?? output) == output && canEnd(rest, state)
        }
      }
      let result = LinearizationSearch(model: register, operations: operations).succeeds()
      #expect(result == canEnd(operations, 0), "seed \(seed): \(operations)")
      counts[result, default: 0] += 1
    }
    #expect(counts.values.allSatisfy { $0 > 100 }, "\(counts)")
  }

  @Test func `independent objects are checked one by one`() async {
    func history(_ last: Int) async -> OperationHistory<(key: String, command: Command), Int> {
      let history = OperationHistory<(key: String, command: Command), Int>()
      _ = await history.record(("a", .write(1))) { 1 }
      _ = await history.record(("b", .write(2))) { 2 }
      _ = await history.record(("a", .read)) { last }
      return history
    }
    let model = SequentialModel<Int, (key: String, command: Command), Int>(0) { value, input in
      register.apply(&value, input.command)
    }
    #expect(await history(1).isLinearizable(model, by: \.key))
    #expect(await !history(2).isLinearizable(model, by: \.key))
  }

  @Test func `thousands of operations in a row are checked`() async {
    let history = OperationHistory<Command, Int>()
    for number in 0..<2_000 {
      _ = await history.record(.write(number)) { number }
    }
    #expect(history.isLinearizable(register))
  }
}

final class Cell: Sendable {
  private let value = Mutex(0)
  func get() -> Int { value.withLock { $0 } }
  func set(_ new: Int) { value.withLock { $0 = new } }
}
