import CausewayExploration
import Foundation
import Synchronization
import Testing

@testable import CausewaySimulation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Work that never ends must fail its trial.
@Suite struct UnfinishedTests {
  /// Something that an action waits for.
  enum Wait: CaseIterable, Sendable {
    case neverResumed, laterOnQueue, timer, twoTasks
    /// These end soon, but on a thread outside of the simulation.
    case queue, mainQueue, operationQueue, session, thread

    /// Whether a thread outside may resume the action before the trial ends.
    var maySurvive: Bool {
      switch self {
      case .neverResumed, .laterOnQueue, .timer, .twoTasks: true
      case .queue, .mainQueue, .operationQueue, .session, .thread: false
      }
    }

    func run() async throws {
      switch self {
      case .neverResumed:
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      case .laterOnQueue:
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
          // The action waits for a queue of the system.
          DispatchQueue.global().asyncAfter(deadline: .now() + 1) { continuation.resume() }
        }
      case .timer:
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
          // The run loop of the simulation's thread does not run.
          RunLoop.current.add(
            Timer(timeInterval: 0, repeats: false) { _ in continuation.resume() },
            forMode: .default)
        }
      case .twoTasks:
        let (first, second) = (Slot(), Slot())
        async let one: Void = {
          await second.wait()
          first.open()
        }()
        async let two: Void = {
          await first.wait()
          second.open()
        }()
        _ = await (one, two)
      case .queue: await UnfinishedTests.resumed(on: .global())
      case .mainQueue: await UnfinishedTests.resumed(on: .main)
      case .operationQueue:
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
          OperationQueue().addOperation { continuation.resume() }
        }
      case .session:
        // There is no such port. The session reports this on a queue of its own, sometimes before the
        // caller waits.
        guard let url = URL(string: "http://127.0.0.1:0/") else { return }
        _ = try? await URLSession.shared.data(from: url)
      case .thread:
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
          Thread { continuation.resume() }.start()
        }
      }
    }
  }

  /// Waits for a queue of the system, which resumes the caller after it has suspended.
  ///
  /// A faster queue could resume the caller before the caller suspends. Then the caller would never
  /// wait. On a busy machine, this happens often.
  private static func resumed(on queue: DispatchQueue) async {
    let hasSuspended = DispatchSemaphore(value: 0)
    // The simulation runs this task when the caller has suspended.
    _ = Task { hasSuspended.signal() }
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      queue.async {
        hasSuspended.wait()
        continuation.resume()
      }
    }
  }

  private actor Slot {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isOpen = false

    func wait() async {
      if isOpen { return }
      await withCheckedContinuation { waiting.append($0) }
    }

    nonisolated func open() {
      Task { await self.openNow() }
    }

    private func openNow() {
      isOpen = true
      for waiter in waiting { waiter.resume() }
      waiting = []
    }
  }

  @Test(arguments: Wait.allCases)
  func `an action that never ends fails its trial`(_ wait: Wait) throws {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<3, for: .seconds(10)) { world in
        let node = world.node("phone") { _ in 1 }
        // An action that a thread outside resumes ends the trial. A second action could then block
        // its queue for ever, and the queue may be the main queue of this process.
        let actions = wait.maySurvive ? 2 : 1
        world.script(on: [node], actions: actions, pause: .zero ... .seconds(1)) { _, _ in
          try await wait.run()
        }
      } check: { _, _ in
      }
    }
    let reason = try #require(failure?.reason)
    let isNamed =
      reason.hasPrefix("these have not ended at the end of the trial: action ")
      && reason.contains(" of phone, begun at ")
    let isForeign = reason.contains("is outside of the simulation and resumed one of its tasks")
    #expect(isNamed || !wait.maySurvive && isForeign, "\(reason)")
    #if os(Linux)
      if isNamed { #expect(reason.contains("Wait.run()"), "\(reason)") }
    #endif
  }

  @Test func `a node that does not finish its start fails the trial`() throws {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<1, for: .seconds(1)) { world in
        _ = world.node("server") { _ in
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
      } check: { _, _ in
      }
    }
    #expect(failure?.reason.contains("the start of server") == true)
    #if os(Linux)
      #expect(failure?.reason.contains("waiting in closure #1") == true, "\(failure?.reason ?? "")")
    #endif
  }

  @Test func `an action that a crash has ended is no failure`() throws {
    try simulate(seeds: 0..<5, for: .seconds(10)) { world in
      let node = world.node("phone") { _ in 1 }
      world.script(on: [node], actions: 1, pause: .zero ... .seconds(1)) { _, _ in
        node.crash()
        node.restart()
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
      return node
    } check: { world, node in
      try world.require(node.root == 1, "the node has not started again")
    }
  }

  #if canImport(Glibc)
    @Test func `a step that blocks its thread ends the process and names the trial`() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        try simulate(seeds: 7..<8, for: .seconds(1)) { world in
          _ = world.node("phone") { _ in block() }
        }
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("Repeat it with simulate(replaying: \"7/7\""), "\(text)")
      #expect(text.contains("(block in "), "\(text)")
    }
  #endif

  @Test func `short waits without end fail the trial`() throws {
    let failure = #expect(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<1, for: .seconds(3_600)) { world in
        _ = world.node("phone") { _ in
          _ = Task {
            while true { try await SimulationClock().sleep(for: .microseconds(1)) }
          }
        }
      } check: { _, _ in
      }
    }
    #expect(failure?.reason.contains("of phone repeats short waits") == true)
  }
}

@inline(never)
private func block() {
  // The watch of the process looks once a second.
  Thread.detachNewThread { while true { StepWatch.look(limit: 3) } }
  while true { usleep(100_000) }
}
