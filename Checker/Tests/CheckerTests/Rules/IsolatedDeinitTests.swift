import Testing

@testable import causeway

struct IsolatedDeinitTests {
  static let fixtures = [
    Fixture(
      IsolatedDeinit.self, "a main-actor class and an actor",
      """
      @MainActor final class Feed {
        1️⃣nonisolated(unsafe) private var timer: Timer?
        private 2️⃣nonisolated(unsafe) var observer: Any?
        func stop() { timer?.invalidate() }
        deinit { timer?.invalidate(); remove(observer) }
      }
      actor Store {
        3️⃣nonisolated(unsafe) var task: Task<Void, Never>?
        deinit { task?.cancel() }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "a task without a deinit",
      """
      @MainActor final class Feed {
        1️⃣nonisolated(unsafe) private var task: Task<Void, Never>?
        func start() { task = Task { await load() } }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "a task without a deinit on older systems",
      """
      @MainActor final class Feed {
        1️⃣nonisolated(unsafe) private var task: Task<Void, Never>?
        nonisolated(unsafe) private var timer: Timer?
        func start() { task = Task { await load() } }
      }
      @MainActor final class Player {
        nonisolated(unsafe) private var task: Task<Void, Never>?
        deinit { task?.cancel() }
      }
      """
    ) { $0.systems = [.macOS: Version(14)] },
    Fixture(
      IsolatedDeinit.self, "a task that code off the actor uses",
      """
      @MainActor final class Feed {
        nonisolated(unsafe) private var task: Task<Void, Never>?
        nonisolated func stop() { task?.cancel() }
      }
      @MainActor final class Player {
        nonisolated(unsafe) private var task: Task<Void, Never>?
        func start() { Task.detached { self.task?.cancel() } }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "deinit does not use it",
      """
      @MainActor final class Feed {
        nonisolated(unsafe) var counter = 0
        deinit { print("gone") }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "a nonisolated member uses it too",
      """
      @MainActor final class Feed {
        nonisolated(unsafe) var timer: Timer?
        nonisolated func stop() { timer?.invalidate() }
        deinit { timer?.invalidate() }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "a class without isolation",
      """
      final class Feed {
        nonisolated(unsafe) var timer: Timer?
        deinit { timer?.invalidate() }
      }
      """),
    Fixture(
      IsolatedDeinit.self, "a detached closure uses it",
      """
      @MainActor final class Feed {
        nonisolated(unsafe) var timer: Timer?
        func f() { Task.detached { self.timer = nil } }
        deinit { timer?.invalidate() }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `isolated-deinit reports at the markers`(fixture: Fixture) { fixture.verify() }
}
