import CausewayBasics
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ShutdownSequenceTests {
  private struct Stuck: Error {}

  private struct Part: Database, Server {
    let name: String
    let log: Log<String>

    func close() async throws {
      log.append("\(name) begins")
      await Task.yield()
      log.append("\(name) ends")
    }

    func stop() async { log.append("\(name) stops") }
  }

  @Test func `steps run one after the other, starting with the last`() async {
    let log = Log<String>()
    let shutdown = ShutdownSequence()
    for name in ["a", "b", "c"] {
      shutdown.add(name) { try await Part(name: name, log: log).close() }
    }
    #expect(await shutdown.run().isEmpty)
    #expect(log.all == ["c begins", "c ends", "b begins", "b ends", "a begins", "a ends"])
  }

  @Test func `a failure is returned with its name and does not stop the other steps`() async {
    let log = Log<String>()
    let shutdown = ShutdownSequence()
    shutdown.add("a") { log.append("a") }
    shutdown.add("b") { throw Stuck() }
    let failures = await shutdown.run()
    #expect(failures.map(\.name) == ["b"])
    #expect(failures.first?.error is Stuck)
    #expect(failures.first?.description == "b was not closed properly: Stuck()")
    #expect(log.all == ["a"])
  }

  @Test func `each step runs once, even with two concurrent calls`() async {
    let log = Log<String>()
    let gate = Gate()
    let shutdown = ShutdownSequence()
    shutdown.add("a") { log.append("a") }
    shutdown.add("b") {
      log.append("b")
      await gate.wait()
      throw Stuck()
    }
    let first = Task { await shutdown.run().map(\.name) }
    await log.wait(for: 1)
    let second = Task { await shutdown.run().map(\.name) }
    gate.open()
    #expect(await first.value == ["b"])
    _ = await second.value
    #expect(log.all == ["b", "a"])
    #expect(await shutdown.run().isEmpty)
    #expect(log.all == ["b", "a"])
  }

  @Test func `a cancelled task still runs all steps`() async {
    let cancelled = Log<Bool>()
    let shutdown = ShutdownSequence()
    shutdown.add("a") { cancelled.append(Task.isCancelled) }
    let closing = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await shutdown.run()
    }
    await closing.value
    #expect(cancelled.all == [false])
  }

  @Test func `a step added during the run is the next step`() async {
    let log = Log<String>()
    let shutdown = ShutdownSequence()
    shutdown.add("a") { log.append("a") }
    shutdown.add("b") {
      shutdown.add("late") { log.append("late") }
      log.append("b")
    }
    await shutdown.run()
    #expect(log.all == ["b", "late", "a"])
  }

  @Test func `a failed start closes the resources opened before`() async {
    let log = Log<String>()
    await #expect(throws: Stuck.self) {
      try await serve {
        Part(name: "database", log: log)
      } startServer: { _ in
        throw Stuck()
      }
    }
    #expect(log.all == ["database begins", "database ends"])
  }

  @Test func `a signal stops the server before the database`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let log = Log<String>()
      let failures = try await serve {
        Part(name: "database", log: log)
      } startServer: { _ in
        kill(getpid(), ShutdownSignal.terminate.rawValue)
        return Part(name: "server", log: log)
      }
      let isInOrder = log.all == ["server stops", "database begins", "database ends"]
      exit(failures.isEmpty && isInOrder ? 0 : 1)
    }
  }
}
