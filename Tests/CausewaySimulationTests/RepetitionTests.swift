import CausewayData
import CausewaySimulation
import Foundation
import Synchronization
import Testing

/// Passing trials that are repeated, and the values of the system that they depend on.
@Suite struct RepetitionTests {
  /// Sends the body that a closure makes from one node to another.
  private func send(
    seeds: Range<UInt64> = 0..<1, repeats: Int = 20,
    _ body: @escaping @Sendable (NodeContext) -> String
  ) throws -> SimulationSummary {
    try simulate(seeds: seeds, for: .seconds(10), repeats: repeats) { world in
      let server = world.node("server") { node in node.serve { _ in NetworkResponse(status: 200) } }
      _ = world.node("client") { node in
        let bytes = Array(body(node).utf8)
        _ = try await node.network(to: server.id).response(
          for: NetworkRequest(.post, "/", body: .bytes(bytes, type: "text/plain")))
      }
    }
  }

  @Test func `a message with other bytes in the repetition of a passing seed is named`() throws {
    let trials = Counter()
    let failure = try #require(throws: SimulationFailure.self) {
      try send { _ in
        trials.increase()
        return "\(trials.value)"
      }
    }
    #expect(failure.reason.hasPrefix("it passed, but cannot be repeated"))
    #expect(!failure.isDeterministic)
    #expect(failure.difference?.contains("of client at 0.0 seconds with the data") == true)
    #expect(failure.difference?.contains(" of the body of POST /") == true)
  }

  @Test func `a file with other bytes in the repetition of a passing seed is named`() throws {
    let trials = Counter()
    let failure = try #require(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<1, for: .seconds(10)) { world in
        _ = world.node("phone") { node in
          trials.increase()
          try node.tokenStore("token").save(AuthToken(access: "\(trials.value)"))
        }
      }
    }
    #expect(!failure.isDeterministic)
    #expect(failure.difference?.contains(" of file ") == true, "\(failure.difference ?? "")")
  }

  @Test(arguments: [(20, 3), (1, 50), (0, 0)])
  func `one in twenty seeds is repeated, unless the test asks for another rate`(
    repeats: Int, repetitions: Int
  ) throws {
    let runs = Counter()
    let summary = try send(seeds: 100..<150, repeats: repeats) { _ in
      runs.increase()
      return "constant"
    }
    #expect(summary.trials == 50)
    #expect(runs.value == 50 + repetitions)
  }

  #if os(Linux)
    /// The values that one trial gets from the system.
    private func values(_ seed: UInt64) throws -> [String] {
      let values = Mutex<[String]>([])
      _ = try send(seeds: seed..<seed + 1, repeats: 0) { _ in
        var generator = SystemRandomNumberGenerator()
        let all = [
          "\(UUID())", "\(generator.next())", "\((0..<64).map { _ in Bool.random() })",
          "\(Int.random(in: 0...Int.max))", "\(Array(0..<20).shuffled())",
          "\(Date().timeIntervalSince1970)", "\(ContinuousClock.now)", "\(SuspendingClock.now)",
          "\(DispatchTime.now().rawValue)", "\(Set((0..<20).map { "element \($0)" }))",
        ]
        values.withLock { $0 = all }
        return all.joined()
      }
      return values.withLock(\.self)
    }

    @Test func `dates, identifiers and random numbers of the system depend only on the seed`()
      throws
    {
      let first = try values(1)
      #expect(first.count == 10)
      for (value, again) in zip(first, try values(1)) { #expect(value == again) }
      let other = try values(2)
      for index in 0..<5 { #expect(first[index] != other[index], "\(first[index])") }
    }

    @Test func `random numbers of the C library depend only on the seed`() throws {
      func numbers(_ seed: UInt64) throws -> [String] {
        let numbers = Mutex<[String]>([])
        _ = try send(seeds: seed..<seed + 1, repeats: 1) { _ in
          var entropy = [UInt8](repeating: 0, count: 32)
          var bytes = entropy
          _ = getentropy(&entropy, entropy.count)
          arc4random_buf(&bytes, bytes.count)
          let all =
            ["\(entropy)", "\(bytes)"]
            + (0..<4).map { _ in "\(arc4random()) \(arc4random_uniform(1_000_003))" }
          numbers.withLock { $0 = all }
          return all.joined()
        }
        return numbers.withLock(\.self)
      }
      let first = try numbers(1)
      #expect(try numbers(1) == first)
      #expect(try Set(numbers(2)).isDisjoint(with: first))
    }

    @Test func `a function whose numbers cannot be simulated is named`() throws {
      let failure = try #require(throws: SimulationFailure.self) {
        try send { _ in "\(rand()) \(random())" }
      }
      #expect(failure.difference?.contains(" of the body of POST /") == true)
      let text = "\(failure)"
      #expect(text.contains("has used rand() in closure #1 in closure #"), "\(text)")
      #expect(text.contains("random() in") && text.contains("are not simulated"), "\(text)")
    }

    @Test func `the system's date is the date of the node`() throws {
      try simulate(seeds: 0..<10, for: .seconds(10)) { world in
        let nodes = (1...3).map { number in
          world.node("node \(number)") { node in
            try await Task.sleep(for: .seconds(5))
            let difference = Date().timeIntervalSince(node.date)
            try world.require(abs(difference) < 0.001, "\(difference)")
          }
        }
        world.faults = [.clockSkew(.seconds(1_000))]
        return nodes
      } check: { _, _ in
      }
      // Outside of the simulation, it is the real date again.
      #expect(Date().timeIntervalSince1970 > 1_760_000_000)
    }

    @Test(arguments: [
      Duration.milliseconds(995), .milliseconds(1), .nanoseconds(1_234_567), .seconds(1),
    ])
    func `a sleep takes as long as the code says, also after busy code`(pause: Duration) throws {
      try simulate(seeds: 0..<3, for: .seconds(10)) { world in
        _ = world.node("busy") { node in
          var sum: UInt64 = 0
          for number: UInt64 in 0..<200_000 { sum = (sum ^ number) &* 0x9e37_79b9_7f4a_7c15 }
          let start = ContinuousClock.now
          let offset = node.clock.now.offset
          try await Task.sleep(for: pause)
          let slept = node.clock.now.offset - offset
          try world.require(slept == pause, "\(slept) (\(sum))")
          try world.require(ContinuousClock.now - start == pause, "\(ContinuousClock.now - start)")
        }
      }
    }
  #endif
}
