import CausewaySystem
import Synchronization
import Testing

@testable import CausewayExploration

private final class Log: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  func look() { _ = all }

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  func add(_ text: String, after delay: Duration) async {
    try? await Task.sleep(for: delay)
    add(text)
  }
}

private actor Place {
  func visit(_ name: String, _ log: Log) { log.add(name) }
}

/// Makes a task between two steps that belong together.
private actor Pair {
  private var first = 0
  private var second = 0
  private(set) var isWhole = true

  func change() async {
    if first != second { isWhole = false }
    first += 1
    Task { @concurrent in }
    // A call on the same actor is no suspension.
    await finish()
  }

  private func finish() async { second += 1 }
}

struct OrderTests {
  @Test func `a closure without tasks has one order`() {
    let orders = explore { await Task.yield() }
    #expect(orders.trials == 1 && orders.isComplete, "\(orders)")
  }

  @Test func `two tasks run in both orders`() {
    let seen = Log()
    let orders = explore(trials: 2_000) {
      let log = Log()
      let place = Place()
      async let first: Void = place.visit("a", log)
      async let second: Void = place.visit("b", log)
      _ = await (first, second)
      seen.add(log.all.joined())
    }
    #expect(orders.failure == nil, "\(orders)")
    #expect(Set(seen.all) == ["ab", "ba"])
  }

  #if os(Linux)
    @Test func `a task that makes another one and calls an actor arrives first or second`() {
      let seen = Log()
      let orders = explore(trials: 500) {
        let log = Log()
        let place = Place()
        async let child: Void = place.visit("child", log)
        await place.visit("parent", log)
        await child
        seen.add(log.all.joined(separator: ", "))
      }
      #expect(orders.failure == nil && orders.isComplete, "\(orders)")
      #expect(Set(seen.all) == ["child, parent", "parent, child"])
    }

    @Test func `a task stays on its actor after it has made another one`() {
      let orders = explore(trials: 2_000) {
        let pair = Pair()
        async let first: Void = pair.change()
        async let second: Void = pair.change()
        _ = await (first, second)
        let isWhole = await pair.isWhole
        try require(isWhole, "another task came between two calls of one actor")
      }
      #expect(orders.failure == nil, "\(orders)")
    }
  #endif

  @Test func `each hop to a free actor is a place to switch, in unstructured tasks too`() {
    let seen = Log()
    let orders = explore(trials: 3_000) {
      let log = Log()
      let place = Place()
      let tasks = ["a", "b"].map { name in
        Task {
          await place.visit(name, log)
          // Without code in between, the compiler stays on the actor.
          log.look()
          await place.visit(name, log)
        }
      }
      for task in tasks { await task.value }
      seen.add(log.all.joined())
    }
    #expect(orders.failure == nil, "\(orders)")
    #expect(Set(seen.all) == ["aabb", "abab", "abba", "baab", "baba", "bbaa"])
  }

  @Test func `the main actor runs its jobs in their order`() {
    let orders = explore(trials: 5_000) { @MainActor in
      let log = Log()
      let first = Task { log.add("first") }
      let second = Task { log.add("second") }
      _ = await (first.value, second.value)
      try require(log.all == ["first", "second"], "another order: \(log.all)")
    }
    #expect(orders.failure == nil && orders.isComplete, "\(orders)")
  }

  @Test @MainActor func `a closure of the main actor can be explored on the main actor`()
    async throws
  {
    try await exploreInterleavings(trials: 50) {
      MainActor.assertIsolated()
      await Task { @MainActor in MainActor.assertIsolated() }.value
    }
  }

  @Test func `detached tasks, groups and streams are controlled`() {
    let orders = explore(trials: 300) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      await withTaskGroup { group in
        for number in 1...3 { group.addTask { _ = continuation.yield(number) } }
      }
      // A detached task does not inherit its parent's executor, so this test has such a task. The
      // task only ends the stream.
      await Task.detached { continuation.finish() }.value
      let sum = await stream.reduce(0, +)
      #expect(sum == 6)
    }
    #expect(orders.failure == nil, "\(orders)")
  }

  @Test func `the reverse order of three tasks is found`() {
    let orders = explore {
      let log = Log()
      await withTaskGroup { group in
        for name in ["1", "2", "3"] { group.addTask { log.add(name) } }
      }
      try require(log.all != ["3", "2", "1"], "backwards")
    }
    #expect(orders.failure?.reason.contains("backwards") == true)
  }
}

struct TimeTests {
  @Test func `time is virtual, and clocks agree with it`() {
    let orders = explore(trials: 3) {
      let clock = ContinuousClock()
      let elapsed = try await clock.measure { try await Task.sleep(for: .seconds(3_600)) }
      try require(elapsed == .seconds(3_600), "\(elapsed)")
    }
    #if os(Linux)
      #expect(orders.failure == nil, "\(orders)")
    #endif
  }

  @Test func `two waits that end at one moment run in both orders`() {
    let seen = Log()
    let orders = explore(trials: 500) {
      let log = Log()
      let tasks = ["a", "b"].map { name in
        Task {
          try await Task.sleep(for: .seconds(1))
          log.add(name)
        }
      }
      for task in tasks { try await task.value }
      seen.add(log.all.joined())
    }
    #expect(orders.failure == nil, "\(orders)")
    #expect(Set(seen.all) == ["ab", "ba"])
  }
}

struct ReplayTests {
  private static let body: @Sendable () async throws -> Void = {
    let log = Log()
    await withTaskGroup { group in
      for name in ["1", "2", "3"] {
        group.addTask {
          await Task.yield()
          log.add(name)
        }
      }
    }
    try require(log.all != ["2", "3", "1"], "this order")
  }

  @Test func `the text of a failure repeats it, with the same steps`() throws {
    let failure = try #require(explore(Self.body).failure)
    #expect(failure.isRepeatable, "\(failure)")
    let again = try #require(repeated(failure.replay, Self.body).failure)
    #expect(again.reason == failure.reason && again.steps == failure.steps)
    #expect(again.replay == failure.replay)
  }

  @Test(arguments: ["0", "4.1-9.2", "0.3", "u17", "p17.40"])
  func `the text of an order is read as the same order`(_ text: String) throws {
    #expect(try #require(TrialOrder(text)).description == text)
  }

  @Test(arguments: [
    "", "x", "4", "4.0", "4.-1", "9.1-4.1", "4.1-", "u", "u-1", "p1", "p1.0", "99999999.1",
    "4.1.2", "99999999999999999999.1",
  ])
  func `an invalid text is no order`(_ text: String) {
    #expect(TrialOrder(text) == nil)
  }
}

struct TableTests {
  #if os(Linux)
    @Test func `the table shows the tasks and their functions`() throws {
      let orders = explore {
        let log = Log()
        let place = Place()
        async let first: Void = place.visit("a", log)
        async let second: Void = place.visit("b", log)
        _ = await (first, second)
        try require(log.all == ["a", "b"], "b came first")
      }
      let failure = try #require(orders.failure)
      #expect(failure.steps.contains("test") && failure.steps.contains("closure #1"), "\(failure)")
    }

    @Test func `a column has the name that the program has given to its task`() throws {
      let orders = explore {
        let log = Log()
        let place = Place()
        let first = Task(name: "the first visit") { await place.visit("a", log) }
        async let second: Void = place.visit("b", log)
        _ = await (first.value, second)
        try require(log.all == ["a", "b"], "b came first")
      }
      let failure = try #require(orders.failure)
      let names = try #require(failure.steps.split(separator: "\n").first)
      #expect(names.contains("the first visit"), "\(failure)")
      #expect(names.contains("task 3") && !names.contains("task 2"), "\(failure)")
    }

    @Test func `a task that waits for ever is reported by its name`() throws {
      let orders = explore(trials: 1) {
        await Task(name: "the visitor") {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }.value
      }
      #expect(orders.failure?.reason.contains("the task \"the visitor\"") == true, "\(orders)")
    }

    @Test func `a cancellation is no switch, and neither is the step after it`() throws {
      let orders = explore(cancelsTasks: true) {
        let wasCancelled = await Task {
          await Task.yield()
          await Task.yield()
          return Task.isCancelled
        }.value
        try require(!wasCancelled, "cancelled")
      }
      let failure = try #require(orders.failure)
      #expect(failure.switches == 0 && failure.steps.contains("is cancelled"), "\(failure)")
      #expect(!failure.steps.contains("←"), "\(failure)")
    }
  #endif

  @Test func `a late timer is no switch, and its step is marked as earlier than a shorter wait`()
    throws
  {
    let orders = explore(hasLateTimers: true) {
      let log = Log()
      async let first: Void = log.add("a", after: .milliseconds(10))
      async let second: Void = log.add("b", after: .milliseconds(20))
      _ = await (first, second)
      try require(log.all == ["a", "b"], "b came first")
    }
    let failure = try #require(orders.failure)
    #expect(failure.switches == 0, "\(failure)")
    #expect(failure.steps.contains("← before a shorter wait"), "\(failure)")
    #expect(!failure.steps.contains("← switch"), "\(failure)")
  }

  @Test func `a name has no module, parameters, result and hash`() {
    #expect(
      FunctionName.short("closure #1 () async -> () in Shop.Cart.add(Swift.Int) async -> ()")
        == "closure #1 in Cart.add")
    #expect(FunctionName.short("Shop.Cart.add(Swift.Int) async throws -> ()") == "Cart.add")
    #expect(FunctionName.short("Shop.load<A>(A) async -> A") == "load")
    #expect(
      FunctionName.short(
        "closure #1 nonisolated(nonsending) @Sendable () async -> () in Shop.load() -> ()")
        == "closure #1 in load")
    #expect(FunctionName.short("Shop.(Cart in _0A1B2C).add() async -> ()") == "Cart.add")
  }
}
