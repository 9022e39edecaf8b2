import Foundation
import Synchronization
import Testing

@testable import CausewaySimulation

/// An account with a bug: it reads the balance, waits, and then writes it.
private actor Account {
  private(set) var balance = 0

  func deposit(_ amount: Int) async throws {
    let before = balance
    try await SimulationClock().sleep(for: .milliseconds(5))
    balance = before + amount
  }
}

@Suite struct SchedulingTests {
  @Test func `a lost update in an actor is found, and shrunk to two actions`() throws {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<100, for: .seconds(10)) { world in
        let bank = world.node("bank") { _ in (account: Account(), deposits: Counter()) }
        world.script(on: [bank, bank], actions: 5, pause: .zero ... .milliseconds(20)) { root, _ in
          root.deposits.increase()
          try await root.account.deposit(1)
        }
        return bank
      } check: { world, bank in
        guard let root = bank.root else { return }
        let balance = await root.account.balance
        try world.require(
          balance == root.deposits.value, "balance \(balance) after \(root.deposits.value) deposits"
        )
      }
    }
    #expect(failure?.reason == "balance 1 after 2 deposits")
    #expect(failure?.isDeterministic == true)
  }

  @Test func `priority-based choices find an order of three steps`() {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<200, for: .seconds(1), search: .priorities(depth: 3)) { world in
        let log = Log()
        _ = world.node("tasks") { _ in
          for number in 1...3 {
            Task {
              await Task.yield()
              log.append(number)
            }
          }
        }
        return log
      } check: { world, log in
        try world.require(log.numbers != [3, 2, 1], "backwards")
      }
    }
    #expect(failure?.reason == "backwards")
  }

  @Test func `a summary states the guarantee of a search by priorities`() throws {
    let summary = try simulate(
      seeds: 0..<5, for: .seconds(1), search: .priorities(depth: 2)
    ) { world in
      _ = world.node("tasks") { _ in
        for _ in 1...3 { Task { await Task.yield() } }
      }
    }
    #expect(summary.mostTasks >= 4)
    #expect(
      summary.trialsForCertainty(depth: 2)
        == SimulationSearch.trialsForCertainty(
          depth: 2, tasks: summary.mostTasks, steps: summary.longestTrial))
    #expect(summary.description.contains("with 99 %: depth 1: "))
  }

  @Test func `the stated number of trials follows the published bound`() {
    let two = SimulationSearch.trialsForCertainty(depth: 2, tasks: 4, steps: 100)
    #expect((1_835...1_845).contains(two))  // ln(0.01) / ln(1 − 1 / 400)
    #expect(SimulationSearch.trialsForCertainty(depth: 1, tasks: 1, steps: 9) == 1)
  }

  @Test func `an actor that does not wait between read and write loses no update`() throws {
    try simulate(seeds: 0..<20, for: .seconds(200)) { world in
      let node = world.node("counter") { _ in Counter() }
      world.script(on: [node, node], actions: 20) { counter, _ in counter.increase() }
      return node
    } check: { world, node in
      try world.require(node.root?.value == 40, "\(node.root?.value ?? 0)")
    }
  }

  @Test func `sleeps, task groups, streams and the main actor run in virtual time`() throws {
    let summary = try simulate(
      seeds: 0..<20, for: .seconds(3_600), settling: .seconds(700)
    ) { world in
      _ = world.node("sleeper") { node in
        try await Task.sleep(for: .seconds(600))
        try world.require(node.clock.now.offset == .seconds(600), "slept \(node.clock.now.offset)")
        await Task { @MainActor in MainActor.preconditionIsolated() }.value
        let sum = await withTaskGroup(of: Int.self) { group in
          for number in 1...4 {
            group.addTask {
              await Task.yield()
              return number
            }
          }
          return await group.reduce(0, +)
        }
        try world.require(sum == 10, "sum \(sum)")
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        // A detached task also belongs to the simulation.
        Task.detached {
          try await node.clock.sleep(for: .seconds(60))
          continuation.yield(7)
          continuation.finish()
        }
        var elements: [Int] = []
        for await element in stream { elements.append(element) }
        try world.require(elements == [7], "\(elements)")
        try world.require(node.clock.now.offset == .seconds(660), "\(node.clock.now.offset)")
      }
    }
    #expect(summary.trials == 20)
  }

  @Test func `a cancelled sleep ends at once`() throws {
    try simulate(seeds: 0..<20, for: .seconds(10)) { world in
      _ = world.node("sleeper") { node in
        let task = Task { try await node.clock.sleep(for: .seconds(3_600)) }
        try await node.clock.sleep(for: .seconds(1))
        task.cancel()
        let result = await task.result
        try world.require(node.clock.now.offset == .seconds(1), "\(node.clock.now.offset)")
        #expect(throws: CancellationError.self) { try result.get() }
      }
    }
  }

  @Test func `a task that an outside thread resumes is reported`() {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<1, for: .seconds(1)) { world in
        let isWaiting = DispatchSemaphore(value: 0)
        let isResumed = DispatchSemaphore(value: 0)
        _ = world.node("escaping") { _ in
          await withCheckedContinuation { continuation in
            Thread {
              isWaiting.wait()
              continuation.resume()
              isResumed.signal()
            }.start()
          }
        }
        _ = world.node("other") { node in
          try await node.clock.sleep(for: .milliseconds(1))
          isWaiting.signal()
          isResumed.wait()
        }
      }
    }
    #expect(failure?.reason.contains("outside of the simulation and resumed") == true)
  }

  @Test func `an endless loop is reported instead of running forever`() {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<1, for: .seconds(1)) { world in
        _ = world.node("busy") { _ in
          while true { await Task.yield() }
        }
      }
    }
    #expect(failure?.reason.contains("0.0 seconds: busy repeats without waiting") == true)
  }

  @Test func `a check that waits for something that never happens is reported`() {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<1, for: .seconds(1)) { world in
        _ = world.node("idle") { _ in }
      } check: { _, _ in
        for await _ in AsyncStream<Int>.makeStream().stream {}
      }
    }
    #expect(failure?.reason.contains("the check did not end") == true)
  }

  @Test func `code that depends on an earlier trial is reported`() {
    let trials = Counter()
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<1, for: .seconds(10)) { world in
        _ = world.node("later") { node in
          trials.increase()
          try await node.clock.sleep(for: .seconds(trials.value))
          throw CancellationError()
        }
      }
    }
    #expect(failure?.isDeterministic == false)
    #expect(failure?.difference?.contains("was later at") == true)
  }

  @Test func `the text of a trial has ranges of the parts that are left out`() throws {
    for text in ["17/3/a0.0-40,a1.2,f1-3,e4.0-1", "17/3p2.1420/a0.1", "17/3p1.1"] {
      let trial = try #require(SimulationCase(text))
      #expect(trial.description == text)
    }
    #expect(SimulationCase("1/1/a0.1,a0.0,a0.2,f1") == SimulationCase("1/1/a0.0-2,f1"))
    for wrong in [
      "1/1/a0.5-2", "1/1/a0.0-x", "1/1/a0.0-1-2", "1/1/a0.0-", "1/1/a0.0-9999999", "1/1p", "1/1p2",
      "1/1p0.5", "1/1p2.0", "1/1p2.5.6", "1/1p9223372036854775807.1", "1/p2.5",
    ] {
      #expect(SimulationCase(wrong) == nil, "\(wrong)")
    }
  }

  @Test func `the first step that differs from an earlier run is named`() throws {
    let summary = try simulate(seeds: 0..<1, for: .seconds(1)) { world in
      _ = world.node("walker") { node in
        for _ in 0..<3 { try await node.clock.sleep(for: .milliseconds(1)) }
      }
    }
    let steps = summary.lastSteps
    #expect(summary.firstDifference(from: steps) == nil)
    var others = steps
    others[2] = "another step"
    let difference = try #require(summary.firstDifference(from: others))
    #expect(difference == "Step 3 was another step, and then \(steps[2]).")
    #expect(summary.firstDifference(from: Array(steps.dropLast()))?.contains("was the end") == true)
  }

  @Test(arguments: [SimulationSearch.uniform, .priorities(depth: 3)])
  func `a failure of any search and seed replays from its text`(search: SimulationSearch) throws {
    let build: @Sendable (World) -> Log = { world in
      let log = Log()
      _ = world.node("tasks") { _ in
        for number in 1...3 {
          Task {
            for _ in 0..<3 { await Task.yield() }
            log.append(number)
          }
        }
      }
      return log
    }
    let check: @Sendable (World, Log) throws -> Void = { world, log in
      try world.require(log.numbers != [3, 2, 1], "backwards")
    }
    for start in UInt64(0)..<20 {
      let failure = #expect(throws: SimulationFailure.self) {
        try simulate(
          seeds: start * 1_000..<start * 1_000 + 500, for: .seconds(1), search: search, build,
          check: check)
      }
      #expect(failure?.isDeterministic == true)
      let again = #expect(throws: SimulationFailure.self) {
        try simulate(
          replaying: failure?.replay ?? "", for: .seconds(1), build, check: check)
      }
      #expect(again?.timeline == failure?.timeline)
    }
  }

  @Test func `the text of a failing trial is enough to repeat it`() throws {
    let build: @Sendable (World) -> SimulatedNode<Counter> = { world in
      let node = world.node("counter") { _ in Counter() }
      world.script(on: [node], actions: 4) { counter, _ in counter.increase() }
      return node
    }
    let check: @Sendable (World, SimulatedNode<Counter>) async throws -> Void = { world, node in
      try world.require((node.root?.value ?? 0) < 3, "\(node.root?.value ?? 0) actions")
    }
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 5..<6, for: .seconds(60), build, check: check)
    }
    #expect(failure?.reason == "3 actions")
    let again = #expect(throws: SimulationFailure.self) {
      try simulate(
        replaying: failure?.replay ?? "", for: .seconds(60), build, check: check)
    }
    #expect(again?.reason == "3 actions")
    #expect(again?.timeline == failure?.timeline)
  }
}

/// A counter.
final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func increase() { count.withLock { $0 += 1 } }
}

private final class Log: Sendable {
  private let contents = Mutex<[Int]>([])
  var numbers: [Int] { contents.withLock { $0 } }
  func append(_ number: Int) { contents.withLock { $0.append(number) } }
}
