import CausewaySimulation
import Foundation
import Synchronization
import Testing

/// Threads outside of a simulation that meet its tasks.
@Suite struct ForeignThreadTests {
  /// Runs each job on a thread of its own.
  private final class ThreadExecutor: TaskExecutor {
    /// Signalled when the last job has left its thread.
    let isFree = DispatchSemaphore(value: 0)
    private let running = Mutex(0)

    func enqueue(_ job: UnownedJob) {
      running.withLock { $0 += 1 }
      Thread {
        job.runSynchronously(on: self.asUnownedTaskExecutor())
        let isLast = self.running.withLock { running in
          running -= 1
          return running == 0
        }
        if isLast { self.isFree.signal() }
      }.start()
    }
  }

  private actor Shared {
    /// Occupies the actor and its thread until the simulation waits for the actor.
    func hold(_ isHeld: DispatchSemaphore, _ isWanted: DispatchSemaphore) {
      isHeld.signal()
      isWanted.wait()
    }

    func use(_ node: NodeContext, _ isUsed: DispatchSemaphore) async {
      node.log("uses the actor")
      _ = node.random()
      isUsed.signal()
      try? await node.clock.sleep(for: .seconds(1))
    }
  }

  /// Runs a simulation on a thread of its own, and returns its failure.
  private func onThread(
    _ body: @escaping @Sendable () throws -> Void
  ) async -> SimulationFailure? {
    await withCheckedContinuation { continuation in
      Thread {
        do {
          try body()
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: error as? SimulationFailure)
        }
      }.start()
    }
  }

  @Test func `a task that another thread runs on a shared actor fails the trial`() async {
    let shared = Shared()
    let isHeld = DispatchSemaphore(value: 0)
    let isWanted = DispatchSemaphore(value: 0)
    let isUsed = DispatchSemaphore(value: 0)
    let executor = ThreadExecutor()
    let trials = Counter()
    Task(executorPreference: executor) { await shared.hold(isHeld, isWanted) }
    // The threads of Swift's pool must stay free, because one of them runs the task.
    let failure = await onThread {
      isHeld.wait()
      try simulate(seeds: 3..<4, for: .seconds(10), shrinks: 0) { world in
        trials.increase()
        // The thread may still run the actor. Then it would run the task of the next trial too.
        if trials.value == 2 { executor.isFree.wait() }
        _ = world.node("user") { node in
          // If the start of the node waited, the failure would be an unfinished start.
          _ = Task { await shared.use(node, isUsed) }
        }
        _ = world.node("other") { node in
          _ = Task {
            try await node.clock.sleep(for: .seconds(1))
            isWanted.signal()
            isUsed.wait()
          }
        }
      }
    }
    #expect(failure?.seed == 3)
    #expect(failure?.isDeterministic == false)
    #expect(failure?.reason.contains("ran one of its tasks, on an actor that both use") == true)
  }

  #if os(Linux)
    @Test func `a task that a thread of the simulation begins fails the trial`() {
      let failure = #expect(throws: SimulationFailure.self) {
        try simulate(seeds: 0..<1, for: .seconds(1), shrinks: 0) { world in
          _ = world.node("phone") { _ in
            Thread { _ = Task {} }.start()
          }
        }
      }
      #expect(failure?.reason.contains("began a task") == true)
      #expect(failure?.isDeterministic == true)
    }
  #endif

  @Test func `a thread that begins no task is no failure`() throws {
    let isDone = Counter()
    try simulate(seeds: 0..<1, for: .seconds(1), repeats: 0) { world in
      _ = world.node("phone") { _ in
        Thread { isDone.increase() }.start()
      }
    }
    #if os(Linux)
      // The simulation waits for the thread.
      #expect(isDone.value == 1)
    #endif
  }

  @Test func `a task of the test that a simulation resumes continues outside of it`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    async let received = {
      for await number in stream { return number }
      return 0
    }()
    try simulate(seeds: 1..<2, for: .seconds(1)) { world in
      _ = world.node("phone") { _ in continuation.yield(7) }
    }
    continuation.finish()
    #expect(await received == 7)
  }
}
