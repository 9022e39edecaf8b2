import CausewayData
import CausewayExploration
import Foundation
import Synchronization
import Testing

@testable import CausewaySimulation

/// Worlds whose steps run on several threads at the same time.
@Suite struct ThreadTests {
  /// Ends the calls of `meet()` when two threads are in it at the same time.
  private final class Meeting: Sendable {
    private let count = Atomic(0)

    /// Waits for the other thread, without suspending, but not for ever.
    func meet() {
      count.add(1, ordering: .sequentiallyConsistent)
      for _ in 0..<20_000_000 where count.load(ordering: .sequentiallyConsistent) < 2 {
        sched_yield()
      }
    }

    var hasMet: Bool { count.load(ordering: .sequentiallyConsistent) == 2 }
  }

  /// An account with a bug: it releases its lock between the read and the write.
  private final class Account: Sendable {
    private let contents = Mutex(0)
    private let meeting = Meeting()
    var balance: Int { contents.withLock { $0 } }

    func deposit() {
      let before = balance
      meeting.meet()
      contents.withLock { $0 = before + 1 }
    }
  }

  @Test func `two steps of a node run at the same time`() throws {
    let summary = try simulate(seeds: 0..<3, for: .seconds(1), search: .threads(2)) { world in
      world.node("phone") { _ in
        let meeting = Meeting()
        async let first: Void = meeting.meet()
        async let second: Void = meeting.meet()
        _ = await [first, second]
        return meeting
      }
    } check: { world, phone in
      try world.require(phone.root?.hasMet == true, "the steps ran one after the other")
    }
    #expect(summary.trials == 3)
  }

  @Test func `a lost update inside a step is found`() throws {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<1, for: .seconds(1), search: .threads(2)) { world in
        world.node("phone") { _ in
          let account = Account()
          async let first: Void = account.deposit()
          async let second: Void = account.deposit()
          _ = await [first, second]
          return account
        }
      } check: { world, phone in
        let balance = phone.root?.balance ?? 0
        try world.require(balance == 2, "balance \(balance) after 2 deposits")
      }
    }
    #expect(failure?.reason == "balance 1 after 2 deposits")
    #expect(failure?.description.contains("fails on 2 threads") == true)
  }

  @Test func `the main actor runs one step at a time`() throws {
    @MainActor final class Model {
      private(set) var count = 0
      private let users = Atomic(0)

      func increase() {
        let others = users.add(1, ordering: .sequentiallyConsistent).oldValue
        sched_yield()
        if others == 0 { count += 1 }
        users.subtract(1, ordering: .sequentiallyConsistent)
      }
    }
    try simulate(seeds: 0..<3, for: .seconds(1), search: .threads(3)) { world in
      world.node("phone") { _ in
        let model = Model()
        await withTaskGroup { group in
          for _ in 0..<50 { group.addTask { await model.increase() } }
        }
        return model
      }
    } check: { world, phone in
      let count = await phone.root?.count
      try world.require(count == 50, "\(count ?? 0) of 50 steps ran alone")
    }
  }

  @Test(arguments: [false, true])
  func `a world with databases, crashes and bad networks runs on threads`(usesHints: Bool) throws {
    let summary = try Board(usesHints: usesHints, search: .threads(3)).simulate(0..<1)
    #expect(summary.crashes > 4)
  }

  #if canImport(Glibc)
    @Test func `two locks in opposite orders end the process with both stacks`() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        try simulate(seeds: 7..<8, for: .seconds(1), search: .threads(2)) { world in
          _ = world.node("phone") { _ in
            let locks = Locks()
            async let first: Void = locks.lockLeftFirst()
            async let second: Void = locks.lockRightFirst()
            return await [first, second].count
          }
        }
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("lockLeftFirst") && text.contains("lockRightFirst"), "\(text)")
    }

    /// Two locks that two functions take in opposite orders.
    ///
    /// The kernel ends a program with a cycle of `Mutex` at once, but not with other locks.
    private final class Locks: Sendable {
      private let left = NSLock()
      private let right = NSLock()
      private let meeting = Meeting()

      @inline(never)
      func lockLeftFirst() {
        left.withLock {
          meeting.meet()
          // The watch of the process takes a minute. Without the deadlock, the process ends before.
          Thread.detachNewThread {
            while true {
              usleep(100_000)
              StepWatch.look(limit: 20)
            }
          }
          right.withLock { meeting.meet() }
        }
      }

      @inline(never)
      func lockRightFirst() {
        right.withLock {
          meeting.meet()
          left.withLock { meeting.meet() }
        }
      }
    }
  #endif
}
