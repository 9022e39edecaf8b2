import CausewayData
import CausewayExploration
import Synchronization
import Testing

@testable import CausewaySimulation

/// Searches that vary the trials with something new.
@Suite struct CoverageGuideTests {
  @Test func `the text of a case keeps its forks`() throws {
    for text in ["17/17@240000000.5", "17/3p2.100@1.9@1000.0/a0.3-7,f1"] {
      #expect(SimulationCase(text)?.description == text)
    }
    for text in ["17/17@", "17/17@1", "17/17@5.1@5.2", "17/17@9.1@5.2", "17/17@0.1", "17/17@-1.1"] {
      #expect(SimulationCase(text) == nil, "\(text)")
    }
  }

  /// Runs a case of a small world, and returns the actions, messages and crashes with their times.
  private func timeline(_ identity: SimulationCase) throws -> [String] {
    let events = Mutex<[String]>([])
    @Sendable func record(_ text: String) { events.withLock { $0.append(text) } }
    try simulate(replaying: identity.description, for: .seconds(100), settling: .seconds(1)) {
      world in
      let server = world.node("server") { node in
        node.serve { request in
          record("\(world.now.microseconds) serves \(request.path)")
          return NetworkResponse(status: 200)
        }
      }
      let clients = (1...2).map { number in
        world.node("client \(number)") { node in
          record("\(world.now.microseconds) client \(number) starts")
          return node.network(to: server.id)
        }
      }
      world.faults = [
        .latency(.milliseconds(1) ... .milliseconds(900)),
        .crashes(of: clients.map(\.id), every: .seconds(20), down: .zero ... .seconds(5)),
      ]
      world.script(on: clients, actions: 20, expectsErrors: true) { network, random in
        let number = Int.random(in: 0..<1_000, using: &random)
        record("\(world.now.microseconds) action \(number)")
        _ = try await network.response(for: NetworkRequest(.post, "/\(number)"))
      }
    }
    return events.withLock { $0 }
  }

  @Test func `a fork changes nothing before its time, and much after it`() throws {
    var identity = SimulationCase(seed: 3, schedule: 3)
    let original = try timeline(identity)
    #expect(try timeline(identity) == original)
    let begin = Duration.seconds(50)
    identity.forks = [SimulationCase.Fork(begin: begin, seed: 8)]
    let changed = try timeline(identity)
    #expect(try timeline(identity) == changed)
    func parts(_ timeline: [String]) -> (before: [String], after: [String]) {
      let index =
        timeline.firstIndex { line in
          Int64(line.prefix { $0 != " " }) ?? 0 >= begin.microseconds
        } ?? timeline.endIndex
      return (Array(timeline[..<index]), Array(timeline[index...]))
    }
    #expect(parts(changed).before == parts(original).before)
    #expect(parts(original).before.count > 20)
    #expect(Set(parts(changed).after).intersection(parts(original).after).count < 5)
  }

  /// A lock that opens after eight right keys, one after the other.
  private struct CombinationLock {
    private(set) var isOpen = false
    private var depth = 0

    /// Each right key is a branch of its own for the compiler.
    mutating func press(_ key: Int) {
      switch (depth, key) {
      case (0, 2): depth = 1
      case (1, 0): depth = 2
      case (2, 3): depth = 3
      case (3, 3): depth = 4
      case (4, 1): depth = 5
      case (5, 0): depth = 6
      case (6, 2): depth = 7
      case (7, 1): isOpen = true
      default: depth = 0
      }
    }
  }

  /// A trial has twelve keys, so about one in 13,000 would open the lock by chance.
  @Test(.enabled(if: Campaign.search == .coverage, "`make simulate COVERAGE=1` runs it alone"))
  func `the compiler's counters lead to a state that chance does not reach`() throws {
    let failure = try #require(throws: SimulationFailure.self) {
      try simulate(
        seeds: 0..<3_000, for: .seconds(100), settling: .zero, search: .coverage, shrinks: 0
      ) { world in
        let lock = Mutex(CombinationLock())
        let person = world.node("person") { _ in }
        world.script(on: [person], actions: 12) { _, random in
          let key = Int.random(in: 0..<4, using: &random)
          lock.withLock { $0.press(key) }
        }
        return { @Sendable in lock.withLock(\.isOpen) }
      } check: { world, isOpen in
        try world.require(!isOpen(), "the lock is open")
      }
    }
    #expect(failure.isDeterministic)
    #expect(!failure.identity.forks.isEmpty, "\(failure.replay)")
  }

  /// Returns the number of trials until a search has reached a state that needs eight steps.
  ///
  /// Each step depends on the action of one second, and the state is lost at the first wrong action.
  private func trials(isGuided: Bool) -> Int {
    let reached = Mutex(0)
    let best = Mutex(0)
    var guide = CoverageGuide {
      let depth = reached.withLock { $0 }
      return best.withLock { best in
        defer { best = max(best, depth) }
        return depth > best
      }
    }
    for number in UInt64(0)..<100_000 {
      let new = SimulationCase(seed: number, schedule: number)
      let identity = isGuided ? guide.variation(number) ?? new : new
      var depth = 0
      while depth < 8 {
        let now = Duration.seconds(depth + 1)
        var random = SimulationRandom(seed: identity.seed(at: now), purpose: UInt64(depth))
        guard Int.random(in: 0..<4, using: &random) == 0 else { break }
        depth += 1
      }
      if depth == 8 { return Int(number) + 1 }
      reached.withLock { $0 = depth }
      guide.note(identity, end: .seconds(depth + 2))
    }
    return .max
  }

  @Test func `variations reach a deep state in a fraction of the trials`() {
    let (guided, uniform) = (trials(isGuided: true), trials(isGuided: false))
    #expect(guided < 2_000)
    #expect(uniform > 10 * guided, "\(guided), \(uniform)")
  }
}
