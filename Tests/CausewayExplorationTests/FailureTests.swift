import CausewaySystem
import Dispatch
import Synchronization
import Testing

@testable import CausewayExploration

/// A number that the tasks of a trial share.
private final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func increase() { count.withLock { $0 += 1 } }
}

/// Reads, waits and then writes, so two callers lose an update.
private actor Total {
  private(set) var value = 0

  func add() async {
    let old = value
    await Task.yield()
    value = old + 1
  }
}

private func neverResumed() async {
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}

/// Waits for a queue of the system.
private func answerOfQueue() async {
  await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
    // These tests need a queue that the exploration does not control.
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) {
      continuation.resume()
    }
  }
}

/// Waits for a queue of the system, which resumes the caller during the step of another task.
private func answerDuringStep() async {
  let hasSuspended = DispatchSemaphore(value: 0)
  let hasResumed = DispatchSemaphore(value: 0)
  let waitForQueue: @Sendable () -> Void = { hasResumed.wait() }
  _ = Task {
    hasSuspended.signal()
    waitForQueue()
  }
  await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
    // These tests need a queue that the exploration does not control.
    DispatchQueue.global().async {
      hasSuspended.wait()
      continuation.resume()
      hasResumed.signal()
    }
  }
}

struct FailureTests {
  @Test func `an error that the closure throws is a failure`() {
    let orders = explore { throw Broken("no picture") }
    #expect(orders.trials == 1)
    #expect(orders.failure?.reason == "The closure threw no picture")
  }

  @Test func `a failed expectation in the closure is a failure, and does not fail the test`() {
    let orders = explore { #expect(1 + 1 == 3) }
    #expect(orders.failure?.reason.contains("1 + 1") == true, "\(orders)")
    #expect(orders.failure?.reason.contains("FailureTests.swift") == true, "\(orders)")
  }

  @Test func `a failed requirement is a failure with the text of the requirement`() {
    let orders = explore { _ = try #require(Int("no number")) }
    #expect(orders.failure?.reason.contains("Int(\"no number\")") == true, "\(orders)")
  }

  @Test func `an issue that a task records is a failure`() {
    let orders = explore {
      await Task { _ = Issue.record("recorded in a task") }.value
    }
    #expect(orders.failure?.reason.contains("recorded in a task") == true, "\(orders)")
  }

  @Test func `a warning is no failure`() {
    withKnownIssue(isIntermittent: true) {
      let orders = explore(trials: 2) { Issue.record("only a warning", severity: .warning) }
      #expect(orders.failure == nil)
    }
  }

  @Test func `an assertion that is known to fail is no failure of the trial`() {
    let orders = explore {
      await withKnownIssue {
        await Task.yield()
        #expect(1 + 1 == 3)
      }
    }
    #expect(orders.isComplete && orders.failure == nil, "\(orders)")
  }

  @Test func `a known issue that is not recorded is a failure`() {
    let orders = explore { withKnownIssue { #expect(1 + 1 == 2) } }
    #expect(orders.failure?.reason.contains("Known issue was not recorded") == true, "\(orders)")
  }

  @Test func `a failure is one issue at the line of the call`() async throws {
    let line = #line + 3
    let issues = Mutex<[String]>([])
    try await withKnownIssue {
      try await exploreInterleavings {
        let total = Total()
        async let first: Void = total.add()
        async let second: Void = total.add()
        _ = await (first, second)
        let value = await total.value
        try require(value == 2, "total.value is \(value)")
      }
    } matching: { issue in
      issues.withLock { $0.append("\(issue) \(issue.sourceLocation?.line ?? 0)") }
      return true
    }
    let texts = issues.withLock { $0 }
    try #require(texts.count == 1, "\(texts)")
    #expect(texts[0].contains("total.value") && texts[0].hasSuffix(" \(line)"), "\(texts)")
    #expect(texts[0].contains("Repeat it with the argument replaying: "))
  }

  @Test func `outside of a test, a failure is thrown`() async {
    // A detached task does not know the test.
    let failure = await Task.detached { () -> ExplorationFailure? in
      do {
        try await exploreInterleavings { throw Broken("no test") }
        return nil
      } catch {
        return error as? ExplorationFailure
      }
    }.value
    #expect(failure?.reason == "The closure threw no test")
  }

  @Test func `a dropped continuation is a failure with the function that waits`() {
    let orders = explore { await neverResumed() }
    #expect(orders.failure?.reason.contains("waits for something that never happens") == true)
    #if os(Linux)
      #expect(orders.failure?.reason.contains("neverResumed") == true, "\(orders)")
    #endif
  }

  #if os(Linux)
    @Test func `a wait for a queue of the system names the function that waits`() {
      let reason = explore(trials: 1) { await answerOfQueue() }.failure?.reason ?? ""
      #expect(reason.contains("a dispatch queue") && reason.contains("answerOfQueue"), "\(reason)")
    }

    @Test func `a queue that resumes a task is a failure with the function that waited`() {
      let reason = explore(trials: 1) { await answerDuringStep() }.failure?.reason ?? ""
      #expect(reason.contains("resumed one of its tasks, in"), "\(reason)")
      #expect(reason.contains("answerDuringStep"), "\(reason)")
    }

    @Test func `a task that has not ended when the closure returns is a failure`() {
      let body: @Sendable () async throws -> Void = {
        _ = Task { try await Task.sleep(for: .seconds(1)) }
      }
      let orders = explore(body)
      #expect(orders.failure?.reason.contains("have not ended") == true, "\(orders)")
      #expect(explore(trials: 100, allowsUnfinishedTasks: true, body).failure == nil)
    }
  #endif

  @Test func `a task that needs no time to end after the closure is no failure`() {
    let count = Counter()
    let orders = explore(trials: 100) {
      Task { count.increase() }
    }
    #expect(orders.failure == nil, "\(orders)")
    #expect(count.value == orders.trials)
  }

  @Test func `a task that repeats for ever without a wait is a failure`() {
    let orders = explore {
      while true { await Task.yield() }
    }
    #expect(orders.failure?.reason.contains("never ends") == true, "\(orders)")
  }

  @Test func `a task that repeats until another one has done something passes`() {
    let orders = explore(trials: 500) {
      let count = Counter()
      let waiting = Task {
        while count.value == 0 { await Task.yield() }
      }
      Task { count.increase() }
      await waiting.value
    }
    #expect(orders.failure == nil, "\(orders)")
  }

  @Test func `a task may poll during a long wait of another task`() {
    let orders = explore(trials: 1) {
      let isDone = Counter()
      let poll = Task {
        while isDone.value == 0 { try await Task.sleep(for: .milliseconds(10)) }
      }
      // More than 50,000 steps.
      try await Task.sleep(for: .seconds(600))
      isDone.increase()
      try await poll.value
    }
    #expect(orders.failure == nil, "\(orders)")
  }

  #if os(Linux)
    @Test func `a failure that cannot be repeated names the function of the system`() throws {
      let count = Counter()
      let orders = explore {
        count.increase()
        _ = rand()
        try require(count.value > 1, "only in the first trial")
      }
      let failure = try #require(orders.failure)
      #expect(!failure.isRepeatable, "\(failure)")
      #expect("\(failure)".contains("has used rand() in closure #1 in FailureTests."), "\(failure)")
    }

    @Test(arguments: ["rand", "mkstemp", "mkdtemp", "clock"])
    func `each function with values that are not simulated is named`(function: String) throws {
      let count = Counter()
      let orders = explore {
        count.increase()
        // The functions make no file, because the pattern is not valid.
        var pattern = [CChar](repeating: 0, count: 8)
        switch function {
        case "rand": _ = rand()
        case "mkstemp": _ = mkstemp(&pattern)
        case "mkdtemp": _ = mkdtemp(&pattern)
        default: _ = clock()
        }
        try require(count.value > 1, "only in the first trial")
      }
      #expect("\(orders)".contains("has used \(function)() in closure #1"), "\(orders)")
    }

    @Test func `the first step that differs in a repetition is named`() throws {
      let count = Counter()
      let orders = explore {
        count.increase()
        let number = count.value
        // The count, which earlier trials have increased, decides which task is made.
        if number.isMultiple(of: 2) {
          await Task.yield()
          await Task(name: "even") { await Task.yield() }.value
        } else {
          await Task(name: "odd") { await Task.yield() }.value
        }
        throw Broken("trial \(number)")
      }
      let text = "\(try #require(orders.failure))"
      #expect(text.contains("in one run of this order, and \""), "\(text)")
      #expect(text.contains("\"odd: begins\"") && text.contains("\"test: closure #1 in"), "\(text)")
    }

    @Test func `the functions of C return the date of the trial`() throws {
      let orders = explore {
        var (first, second) = (timespec(), timespec())
        _ = timespec_get(&first, 1)
        try await Task.sleep(for: .seconds(5))
        _ = timespec_get(&second, 1)
        try require(second.tv_sec - first.tv_sec == 5, "\(first), \(second)")
      }
      #expect(orders.failure == nil, "\(orders)")
    }

    @Test func `the order of a trial that ends the process is printed`() async throws {
      let result = try #require(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          try await exploreInterleavings {
            let first = Counter()
            let task = Task { first.increase() }
            await Task.yield()
            if first.value > 0 { fatalError("a trap in the second order") }
            await task.value
          }
        })
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("with the argument replaying: \""), "\(text)")
    }
  #endif

  @Test func `a cancelled sleep leaves nothing behind`() {
    let orders = explore(trials: 200) {
      let sleep = Task { try await Task.sleep(for: .seconds(60)) }
      sleep.cancel()
      _ = await sleep.result
    }
    #expect(orders.failure == nil, "\(orders)")
  }
}
