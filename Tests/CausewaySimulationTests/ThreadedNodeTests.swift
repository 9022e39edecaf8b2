import CausewayData
import Foundation
import Synchronization
import Testing

@testable import CausewaySimulation

/// Nodes whose steps run on several threads at the same time.
@Suite struct ThreadedNodeTests {
  /// Code that must run one call at a time, and notices calls that do not.
  private final class Narrow: Sendable {
    private let users = Atomic(0)
    private let calls = Atomic(0)
    private let meetings = Atomic(0)

    /// The number of calls; 0 if two of them ran at the same time.
    var callsAlone: Int {
      meetings.load(ordering: .relaxed) == 0 ? calls.load(ordering: .relaxed) : 0
    }

    func pass() {
      if users.add(1, ordering: .sequentiallyConsistent).oldValue > 0 {
        meetings.add(1, ordering: .relaxed)
      }
      sched_yield()
      users.subtract(1, ordering: .sequentiallyConsistent)
      calls.add(1, ordering: .relaxed)
    }
  }

  private actor Plain {
    let narrow = Narrow()
    func pass() { narrow.pass() }
  }

  @Test func `an actor runs one step at a time`() throws {
    try simulate(seeds: 0..<3, for: .seconds(1), search: .threads(3)) { world in
      world.node("phone") { _ in
        let actor = Plain()
        await withTaskGroup { group in
          for _ in 0..<50 { group.addTask { await actor.pass() } }
        }
        return actor.narrow
      }
    } check: { world, phone in
      let count = phone.root?.callsAlone
      try world.require(count == 50, "\(count ?? 0) of 50 steps ran alone")
    }
  }

  /// An actor on the executor of a node's disk.
  private actor Storage {
    private let executor: any SerialExecutor
    let narrow = Narrow()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: any SerialExecutor) {
      self.executor = executor
    }

    func pass() { narrow.pass() }
  }

  @Test func `the executor of a disk runs one step at a time, beside other steps`() throws {
    try simulate(seeds: 0..<3, for: .seconds(1), search: .threads(3)) { world in
      world.node("phone") { node in
        let (first, second) = (Storage(node.files.executor), Storage(node.files.executor))
        await withTaskGroup { group in
          for _ in 0..<25 {
            group.addTask { await first.pass() }
            group.addTask { await second.pass() }
          }
        }
        return [first.narrow, second.narrow]
      }
    } check: { world, phone in
      let counts = phone.root?.map(\.callsAlone) ?? []
      try world.require(counts == [25, 25], "\(counts) of 25 steps ran alone")
    }
  }

  /// A value whose deinitializer waits for a short time until another thread has used the trial.
  private final class Waiting: Sendable {
    private let handshake: Handshake

    init(_ handshake: Handshake) {
      self.handshake = handshake
    }

    deinit { handshake.end() }
  }

  private final class Handshake: Sendable {
    private enum State: Int, AtomicRepresentable { case new, ending, used }

    private let state = Atomic(State.new)
    private let wasUsed = Atomic(false)

    /// Whether another thread could use the trial while the value ended.
    var hasSucceeded: Bool { wasUsed.load(ordering: .sequentiallyConsistent) }

    /// Waits without suspending, but not for ever.
    private func wait(for expected: State) -> Bool {
      for _ in 0..<3_000_000 {
        if state.load(ordering: .sequentiallyConsistent) == expected { return true }
        sched_yield()
      }
      return false
    }

    func end() {
      state.store(.ending, ordering: .sequentiallyConsistent)
      wasUsed.store(wait(for: .used), ordering: .sequentiallyConsistent)
    }

    func use(_ node: NodeContext) {
      guard wait(for: .ending) else { return }
      _ = node.random()
      state.store(.used, ordering: .sequentiallyConsistent)
    }
  }

  /// A place that keeps a value of a program until it gets another one.
  enum Place: CaseIterable, Sendable { case handler, program, storedValue }

  @Test(arguments: Place.allCases)
  func `a value of a program ends without the lock of the trial`(place: Place) throws {
    try simulate(seeds: 0..<1, for: .seconds(1), search: .threads(2)) { world in
      let handshake = Handshake()
      let phone = world.node("phone") { $0 }
      @Sendable func replace(_ value: Waiting?, _ node: NodeContext) {
        switch place {
        case .handler:
          node.serve { _ in
            withExtendedLifetime(value) {}
            return NetworkResponse(status: 200)
          }
        case .program:
          phone.install { node in
            withExtendedLifetime(value) {}
            return node
          }
        case .storedValue:
          // A value of another type replaces the first one.
          if let value {
            _ = node.stored("value") { value }
          } else {
            _ = node.stored("value") { 1 }
          }
        }
      }
      world.script(on: [phone], actions: 1, pause: .zero ... .zero) { node, _ in
        replace(Waiting(handshake), node)
        async let end: Void = replace(nil, node)
        async let use: Void = handshake.use(node)
        _ = await [end, use]
      }
      return handshake
    } check: { world, handshake in
      try world.require(handshake.hasSucceeded, "the lock was taken while the value ended")
    }
  }

  @Test func `no step of a node begins after a crash inside a step`() throws {
    let summary = try simulate(
      seeds: 0..<5, for: .seconds(1), settling: .seconds(1), search: .threads(1)
    ) { world in
      let (runs, late) = (Counter(), Counter())
      _ = world.node("phone") { node in
        runs.increase()
        guard runs.value == 1 else { return }
        for _ in 0..<20 { _ = Task { late.increase() } }
        Trial.use {
          $0.crashInside(node.id, "in a test", losesPower: false, for: .milliseconds(1))
        }
      }
      return late
    } check: { world, late in
      try world.require(late.value == 0, "\(late.value) tasks began after the crash")
    }
    #expect(summary.crashes == 5)
  }

  @Test func `an unfinished action is named with its own steps`() throws {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(
        seeds: 0..<1, for: .seconds(1), settling: .seconds(1), search: .threads(3)
      ) { world in
        let phone = world.node("phone") { _ in 0 }
        let phones = Array(repeating: phone, count: 60)
        world.script(on: phones, actions: 1, pause: .milliseconds(100) ... .milliseconds(100)) {
          _, _ in
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
      }
    }
    let tasks = (failure?.reason ?? "").matches(of: /in task (\d+)/).map(\.output.1)
    #expect(tasks.count == 60 && Set(tasks).count == 60, "\(failure?.reason ?? "no failure")")
  }
}
