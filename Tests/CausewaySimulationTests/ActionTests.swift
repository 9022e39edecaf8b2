import CausewaySimulation
import Synchronization
import Testing
import XCTest

/// A sum that loses an update if two calls overlap.
private actor Total {
  private(set) var value = 0

  func add() async {
    let old = value
    await MainActor.run {}
    value = old + 1
  }
}

private struct Refused: Error {}

struct ActionTests {
  private func worldFails(
    expectsErrors: Bool, _ action: @escaping @Sendable (World) async throws -> Void
  ) -> SimulationFailure? {
    #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<3, for: .seconds(20)) { world in
        let node = world.node("shop") { _ in 1 }
        world.script(on: [node], actions: 5, expectsErrors: expectsErrors) { _, _ in
          try await action(world)
        }
      }
    }
  }

  @Test func `an action that throws fails the trial, and is shortened to one action`() throws {
    let failure = try #require(worldFails(expectsErrors: false) { _ in throw Refused() })
    #expect(failure.reason.contains("of shop threw Refused()"), "\(failure)")
    #expect(failure.replay.contains("a0."), "\(failure)")
  }

  @Test func `a script can say that its errors are expected`() throws {
    let summary = try simulate(seeds: 0..<3, for: .seconds(60)) { world in
      let node = world.node("shop") { _ in 1 }
      world.script(on: [node], actions: 5, expectsErrors: true) { _, _ in throw Refused() }
    }
    #expect(summary.failedActions == summary.actions && summary.actions > 3)
  }

  @Test func `a requirement that does not hold in an action fails the trial in any case`() throws {
    let failure = worldFails(expectsErrors: true) { try $0.require(false, "nothing is left") }
    #expect(failure?.reason == "nothing is left")
  }

  @Test func `an expectation that fails in an action fails the trial, and not the test`() throws {
    let failure = try #require(worldFails(expectsErrors: false) { _ in #expect(1 + 1 == 3) })
    #expect(failure.reason.contains("1 + 1"), "\(failure)")
  }

  #if os(Linux)
    @Test func `an assertion of XCTest that fails in an action fails the trial, and not the test`()
      throws
    {
      let failure = try #require(
        worldFails(expectsErrors: true) { _ in XCTAssertEqual(1 + 1, 3, "a sum") })
      #expect(failure.reason.contains("XCTAssertEqual failed"), "\(failure)")
      #expect(failure.reason.contains("ActionTests.swift:"), "\(failure)")
    }
  #endif

  @Test func `an expectation that fails in a check or in a node fails the trial`() {
    let check = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<1, for: .seconds(1)) { _ in
      } check: { _, _ in
        Issue.record("recorded in the check")
      }
    }
    #expect(check?.reason.contains("recorded in the check") == true)
    let node = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<1, for: .seconds(1)) { world in
        _ = world.node("shop") { _ in
          _ = try #require(Int("no number"))
          return 1
        }
      }
    }
    #expect(node?.reason.contains("no number") == true)
  }

  @Test func `actions of two scripts meet in one moment by default`() throws {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<50, for: .seconds(100)) { world in
        let node = world.node("shop") { _ in Total() }
        world.script(on: [node, node], actions: 5) { total, _ in await total.add() }
        return node
      } check: { world, node in
        let value = await node.root?.value ?? 0
        try world.require(value == 10, "\(value) of 10")
      }
    }
    #expect(failure != nil)
  }
}
