import Testing

@testable import causeway

struct StreamTerminationTests {
  static let fixtures = [
    Fixture(
      StreamTermination.self, "a property keeps a closure with the continuation",
      """
      @MainActor final class Preview {
        private var add: ((Int) -> Void)?
        lazy var frames: AsyncStream<Int> = AsyncStream { continuation in
          add = { continuation.yield($0) }
        }
        func others() -> AsyncStream<Int> {
          AsyncStream { continuation in self.add = { continuation.yield($0) } }
        }
      }
      """),
    Fixture(
      StreamTermination.self, "another object keeps a closure with the continuation",
      """
      @MainActor final class Preview {
        private let monitor = Monitor()
        func paths() -> AsyncStream<Int> {
          1️⃣AsyncStream { continuation in
            monitor.pathUpdateHandler = { continuation.yield($0) }
            monitor.start()
          }
        }
        func locals() -> AsyncStream<Int> {
          2️⃣AsyncStream { continuation in
            var handler: ((Int) -> Void)?
            handler = { continuation.yield($0) }
            listen(handler)
          }
        }
      }
      """),
    Fixture(
      StreamTermination.self, "a function that stops the source of its own stream",
      """
      func listen() async {
        let connections = AsyncStream<Int> { continuation in
          lock.withLock { setHandler(self.connection) { continuation.yield($0) } }
        }
        defer { cancel(self.connection) }
        for await connection in connections { start(connection) }
      }
      func follow() async {
        let lines = AsyncStream<String> { continuation in
          source.onLine = { continuation.yield($0) }
        }
        for await line in lines { print(line) }
        source.stop()
      }
      func forget() async {
        let lines = 1️⃣AsyncStream<String> { continuation in
          source.onLine = { line in
            continuation.yield(line)
            if line.isEmpty { continuation.finish() }
          }
        }
        defer { other.finish() }
        for await line in lines { print(line) }
        print(source)
      }
      func make() -> AsyncStream<String> {
        defer { print(source) }
        return 2️⃣AsyncStream { continuation in
          source.onLine = { continuation.yield($0) }
        }
      }
      """),
    Fixture(
      StreamTermination.self, "a source that notices by itself that it must stop",
      """
      let chunks = AsyncStream<Data> { continuation in
        channel.read { data in
          if case .terminated = continuation.yield(data) { channel.close() }
        }
      }
      let phases = AsyncStream<Int> { continuation in
        Task {
          for await query in queries {
            try self.checkCancellation()
            continuation.yield(query)
          }
        }
      }
      let others = 1️⃣AsyncStream<Int> { continuation in
        Task {
          for await query in queries {
            try Task.checkCancellation()
            continuation.yield(query)
          }
        }
      }
      """),
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
      StreamTermination.self, "streams that `init` makes",
      """
      func a() -> AsyncStream<Int> {
        1️⃣.init { continuation in center.observe { continuation.yield($0) } }
      }
      var b: AsyncThrowingStream<Int, any Error> {
        return 2️⃣.init { continuation in center.observe { continuation.yield($0) } }
      }
      let c: AsyncStream<Int> = 3️⃣.init { c in center.observe { c.yield($0) } }
      let d = 4️⃣AsyncStream.init { c in center.observe { c.yield($0) } }
      let e = 5️⃣AsyncStream<Int>.init(bufferingPolicy: .unbounded) { c in
        center.observe { c.yield($0) }
      }
      """),
    Fixture(
      StreamTermination.self, "`init` of other types",
      """
      func a() -> EventStream<Int> {
        .init { continuation in center.observe { continuation.yield($0) } }
      }
      let b: EventStream<Int> = .init { c in center.observe { c.yield($0) } }
      let c = EventStream.init { c in center.observe { c.yield($0) } }
      func d() -> AsyncStream<Int> {
        use(.init { c in center.observe { c.yield($0) } })
        return stream
      }
      func e() -> AsyncStream<Int> {
        .init { continuation in
          let token = center.observe { continuation.yield($0) }
          continuation.onTermination = { _ in token.cancel() }
        }
      }
      """),
    Fixture(
      StreamTermination.self, "a listener that separate tasks register and remove",
      """
      func values() -> AsyncStream<Int> {
        AsyncStream { continuation in
          let id = UUID()
          Task { await self.add(continuation, id) }
          1️⃣continuation.onTermination = { _ in Task { await self.remove(id) } }
        }
      }
      """),
    Fixture(
      StreamTermination.self, "a listener that is removed after it was registered",
      """
      func values() -> AsyncStream<Int> {
        AsyncStream { continuation in
          let id = UUID()
          let task = Task { await self.add(continuation, id) }
          continuation.onTermination = { _ in Task { await task.value; await self.remove(id) } }
        }
      }
      func names() -> AsyncStream<Int> {
        AsyncStream { continuation in
          let id = self.add(continuation)
          continuation.onTermination = { _ in Task { await self.remove(id) } }
        }
      }
      func pages() -> AsyncStream<Int> {
        AsyncStream { continuation in
          Task { await self.add(continuation, id) }
          continuation.onTermination = { _ in self.remove(id) }
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
    Fixture(
      StreamTermination.self, "a task that ends, with closures that do not yield",
      """
      AsyncStream { continuation in
        Task {
          for frame in frames {
            continuation.yield(frame)
            DispatchQueue.main.async { self.show(frame) }
          }
          continuation.finish()
        }
      }
      """),
    Fixture(
      StreamTermination.self, "a task whose closure yields",
      """
      1️⃣AsyncStream { continuation in
        Task { await listen { continuation.yield($0) } }
      }
      """),
    Fixture(
      StreamTermination.self, "a child of a group stops the source",
      """
      func isActive() async -> Bool {
        let states = AsyncStream<State> { continuation in
          connection.stateUpdateHandler = { continuation.yield($0) }
        }
        return await withTaskGroup(of: Bool.self) { group in
          group.addTask {
            for await state in states where state == .ready {
              connection.cancel()
              return true
            }
            return false
          }
          return await group.next() ?? false
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `stream-termination reports at the markers`(fixture: Fixture) { fixture.verify() }
}
