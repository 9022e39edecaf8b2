import Testing

@testable import causeway

struct StreamTerminationTests {
  static let fixtures = [
    Fixture(
      StreamTermination.self, "bridges without or with an empty handler",
      """
      func a() -> AsyncStream<Int> {
        1️⃣AsyncStream { continuation in
          let token = center.observe { continuation.yield($0) }
        }
      }
      func b() -> AsyncThrowingStream<Int, any Error> {
        2️⃣AsyncThrowingStream<Int, any Error> { continuation in
          Task { for await x in c { continuation.yield(x) }; continuation.finish() }
        }
      }
      func c() -> AsyncStream<Int> {
        AsyncStream(Int.self) { continuation in
          Task { for await x in c { continuation.yield(x) } }
          3️⃣continuation.onTermination = { _ in
            // Handle cancellation if needed.
          }
        }
      }
      func d() -> AsyncStream<Int> {
        AsyncStream { continuation in
          Task { await self.register(continuation) }
          4️⃣continuation.onTermination = { _ in }
        }
      }
      """),
    Fixture(
      StreamTermination.self, "an empty handler of a stored continuation",
      """
      AsyncStream { continuation in
        self.continuation = continuation
        continuation.onTermination = { _ in }
      }
      """),
    Fixture(
      StreamTermination.self, "an empty handler without a source",
      """
      AsyncStream { continuation in continuation.onTermination = { _ in } }
      AsyncStream { continuation in
        for item in items { continuation.yield(item) }
        continuation.onTermination = { _ in }
      }
      """),
    Fixture(
      StreamTermination.self, "a task that ends on its own",
      """
      AsyncStream { continuation in
        Task {
          continuation.yield(await self.value())
          continuation.finish()
        }
      }
      """),
    Fixture(
      StreamTermination.self, "a task with a loop over a collection",
      """
      AsyncThrowingStream<Int, any Error> { continuation in
        Task {
          for item in items {
            continuation.yield(item)
            try? await Task.sleep(for: .milliseconds(10))
          }
          continuation.finish()
        }
      }
      """),
    Fixture(
      StreamTermination.self, "a task with a loop over an endless sequence",
      """
      1️⃣AsyncStream { continuation in
        Task {
          for tick in (0...) {
            try? await Task.sleep(for: .seconds(1))
            continuation.yield(tick)
          }
        }
      }
      2️⃣AsyncStream { continuation in
        Task { for page in sequence(first: 0, next: advance) { continuation.yield(page) } }
      }
      AsyncStream { continuation in
        Task.immediate { for (n, item) in zip(0..., items) { continuation.yield((n, item)) } }
      }
      """),
    Fixture(
      StreamTermination.self, "the handler is set",
      """
      AsyncStream { continuation in
        let task = Task { continuation.yield(1) }
        continuation.onTermination = { _ in task.cancel() }
      }
      """),
    Fixture(
      StreamTermination.self, "elements that the closure yields",
      """
      AsyncStream { continuation in
        items.forEach { continuation.yield($0) }
        continuation.finish()
      }
      """),
    Fixture(
      StreamTermination.self, "the continuation is passed on",
      "AsyncStream { continuation in Task { await self.register(continuation) } }"),
    Fixture(
      StreamTermination.self, "the continuation is stored",
      "AsyncStream { continuation in self.continuation = continuation }"),
    Fixture(
      StreamTermination.self, "a pulled stream",
      "AsyncStream(unfolding: { await next() })"),
    Fixture(
      StreamTermination.self, "another type",
      "EventStream { continuation in center.observe { continuation.yield($0) } }"),
  ]

  @Test(arguments: fixtures)
  func `stream-termination reports at the markers`(fixture: Fixture) { fixture.verify() }
}
