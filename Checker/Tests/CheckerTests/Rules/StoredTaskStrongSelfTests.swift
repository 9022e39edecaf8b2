import Testing

@testable import causeway

struct StoredTaskStrongSelfTests {
  static let fixtures = [
    Fixture(
      StoredTaskStrongSelf.self, "strong captures around for await",
      """
      final class Feed {
        private var task: Task<Void, Never>?
        private var tasks: [Int: Task<Void, Never>] = [:]
        private var count = 0
        func start() {
          task = 1️⃣Task { for await item in stream { self.handle(item) } }
          self.tasks[1] = 2️⃣Task { for await _ in stream { count += 1 } }
        }
        func handle(_ item: Int) {}
        deinit { task?.cancel() }
      }
      """),
    Fixture(
      StoredTaskStrongSelf.self, "a weak capture",
      """
      final class Feed {
        var task: Task<Void, Never>?
        func start() { task = Task { [weak self] in for await i in s { self?.handle(i) } } }
      }
      """),
    Fixture(
      StoredTaskStrongSelf.self, "the loop does not use self",
      """
      final class Feed {
        var task: Task<Void, Never>?
        func start() { task = Task { for await item in s { print(item) } } }
      }
      """),
    Fixture(
      StoredTaskStrongSelf.self, "another method cancels it",
      """
      final class Feed {
        var task: Task<Void, Never>?
        func start() { task = Task { for await item in s { self.handle(item) } } }
        func stop() { task?.cancel() }
      }
      """),
    Fixture(
      StoredTaskStrongSelf.self, "a local variable",
      """
      final class Feed {
        func start() async {
          let task: Task<Void, Never>
          task = Task { for await item in s { self.handle(item) } }
          await task.value
        }
      }
      """),
    Fixture(
      StoredTaskStrongSelf.self, "no loop",
      "final class Feed { var task: Task<Void, Never>?; func f() { task = Task { await self.g() } } }"
    ),
    Fixture(
      StoredTaskStrongSelf.self, "a struct",
      """
      struct Feed {
        var task: Task<Void, Never>?
        mutating func f() { task = Task { for await i in s { self.g(i) } } }
      }
      """),
    Fixture(
      StoredTaskStrongSelf.self, "a type with a shared instance",
      """
      @MainActor final class Session {
        static let shared = Session()
        private var task: Task<Void, Never>?
        private init() {
          task = Task { for await user in users { self.user = user } }
        }
      }
      """),
    Fixture(
      StoredTaskStrongSelf.self, "a local constant and the state of a lock",
      """
      final class Client: Sendable {
        private let state = Mutex(State())
        private var listener: Task<Void, Never>?
        init(auth: Auth) {
          let task = 1️⃣Task { for await session in auth.changes { await handle(session) } }
          state.withLock { $0.listener = task }
        }
        func start() {
          let task = 2️⃣Task { for await session in auth.changes { await handle(session) } }
          listener = task
        }
        func handle(_ session: Session) async {}
        deinit { state.withLock { $0.listener?.cancel() } }
      }
      """),
    Fixture(
      StoredTaskStrongSelf.self, "a task in the state of a lock that a method cancels",
      """
      final class Client: Sendable {
        private let state = Mutex(State())
        func start() {
          let task = Task { for await session in auth.changes { await handle(session) } }
          state.withLock { state in state.listener = task }
          let other = Task { [weak self] in
            for await session in auth.changes { await self?.handle(session) }
          }
          state.withLock { $0.other = other }
          work.perform { $0.third = Task { for await i in s { await handle(i) } } }
        }
        func handle(_ session: Session) async {}
        func stop() { state.withLock { $0.listener?.cancel() } }
      }
      """),
    Fixture(
      StoredTaskStrongSelf.self, "a loop that polls, and a loop in a method",
      """
      final class Poller {
        var task: Task<Void, Never>?
        func start() { task = 1️⃣Task { while !Task.isCancelled { await self.poll() } } }
        func poll() async {}
        deinit { task?.cancel() }
      }
      final class Feed {
        var task: Task<Void, Never>?
        func start() { task = 2️⃣Task { await self.observe() } }
        func observe() async { for await item in items { show(item) } }
        deinit { task?.cancel() }
      }
      """),
    Fixture(
      StoredTaskStrongSelf.self, "work that ends, and a loop that captures no object",
      """
      final class Poller {
        var task: Task<Void, Never>?
        func start() { task = Task { while !Task.isCancelled { await poller.poll() } } }
        func load() { task = Task { await self.reload() } }
        func retry() {
          task = Task {
            while true {
              do {
                self.items = try await fetch()
                return
              } catch {}
            }
          }
        }
        func reload() async { for item in items { show(item) } }
        deinit { task?.cancel() }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `stored-task-strong-self reports at the markers`(fixture: Fixture) { fixture.verify() }
}
