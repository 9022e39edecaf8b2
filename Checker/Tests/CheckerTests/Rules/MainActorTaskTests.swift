import Testing

@testable import causeway

struct MainActorTaskTests {
  static let fixtures = [
    Fixture(
      MainActorTask.self, "tasks of a main-actor class",
      """
      @MainActor
      final class Feed {
        func f() {
          Task { 1️⃣@MainActor in print(1) }
          Task { 2️⃣@MainActor [weak self] in self?.f() }
          Task {
            3️⃣@MainActor in
            f()
          }
          Task(priority: .low) { 4️⃣@MainActor () -> Void in f() }
        }
      }
      """,
      fixed: """
        @MainActor
        final class Feed {
          func f() {
            Task { print(1) }
            Task { [weak self] in self?.f() }
            Task {
              f()
            }
            Task(priority: .low) { () -> Void in f() }
          }
        }
        """),
    Fixture(
      MainActorTask.self, "a task in a task and in a closure that does not escape",
      """
      @MainActor func f(_ items: [Int]) {
        Task { Task { 1️⃣@MainActor in print(1) } }
        items.forEach { item in Task { 2️⃣@MainActor in print(item) } }
      }
      """,
      fixed: """
        @MainActor func f(_ items: [Int]) {
          Task { Task { print(1) } }
          items.forEach { item in Task { print(item) } }
        }
        """),
    Fixture(
      MainActorTask.self, "a type without isolation",
      "final class Feed { func f() { Task { @MainActor in print(1) } } }"),
    Fixture(
      MainActorTask.self, "a detached task",
      "@MainActor func f() { Task.detached { @MainActor in print(1) } }"),
    Fixture(
      MainActorTask.self, "an escaping closure of an unknown function",
      """
      @MainActor final class Feed {
        func f() {
          timer.schedule { [weak self] _ in Task { @MainActor in self?.f() } }
        }
      }
      """),
    Fixture(
      MainActorTask.self, "a @Sendable closure of the module's function",
      """
      func later(_ work: @escaping @Sendable () -> Void) {}
      @MainActor func f() { later { Task { @MainActor in print(1) } } }
      """),
    Fixture(
      MainActorTask.self, "the @Sendable closure of an OSAllocatedUnfairLock",
      """
      import os
      @MainActor func f() { lock.withLock { state in Task { @MainActor in print(1) } } }
      """),
    Fixture(
      MainActorTask.self, "onTermination of a stream",
      """
      @MainActor func f() -> AsyncStream<Int> {
        AsyncStream { continuation in
          continuation.onTermination = { _ in Task { @MainActor in print(1) } }
        }
      }
      """),
    Fixture(
      MainActorTask.self, "onChange of withObservationTracking, onCancel",
      """
      @MainActor final class Bar {
        func observe() {
          withObservationTracking {
            update()
          } onChange: { [weak self] in
            Task { @MainActor [weak self] in self?.observe() }
          }
        }
        func load() async {
          await withTaskCancellationHandler {
            await work()
          } onCancel: {
            Task { @MainActor in self.observe() }
          }
        }
      }
      """),
    Fixture(
      MainActorTask.self, "deinit",
      "@MainActor final class Feed { deinit { Task { @MainActor in print(1) } } }"),
  ]

  @Test(arguments: fixtures)
  func `main-actor-task reports at the markers`(fixture: Fixture) { fixture.verify() }
}
