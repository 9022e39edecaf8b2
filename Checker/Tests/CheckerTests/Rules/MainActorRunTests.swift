import Testing

@testable import causeway

struct MainActorRunTests {
  static let fixtures = [
    Fixture(
      MainActorRun.self, "statements are inlined",
      """
      @MainActor
      final class Feed {
        var items: [Int] = []
        var isLoading = false
        func refresh() async {
          await 1️⃣MainActor.run {
            // Shows the spinner.
            isLoading = true
            if items.isEmpty {
              items = [1]
            }
          }
          await 2️⃣MainActor.run { self.isLoading = false }
          items = []
        }
      }
      """,
      fixed: """
        @MainActor
        final class Feed {
          var items: [Int] = []
          var isLoading = false
          func refresh() async {
            // Shows the spinner.
            isLoading = true
            if items.isEmpty {
              items = [1]
            }
            self.isLoading = false
            items = []
          }
        }
        """),
    Fixture(
      MainActorRun.self, "a call that can throw",
      """
      @MainActor
      func load(_ f: @MainActor () throws -> Void) async throws {
        try await 1️⃣MainActor.run { try f() }
        print("done")
      }
      """,
      fixed: """
        @MainActor
        func load(_ f: @MainActor () throws -> Void) async throws {
          try f()
          print("done")
        }
        """),
    Fixture(
      MainActorRun.self, "no fix for values, returns and declarations",
      """
      @MainActor
      func load(_ flag: Bool) async -> Int {
        let x = await 1️⃣MainActor.run { 1 }
        await 2️⃣MainActor.run {
          guard flag else { return }
          print(x)
        }
        await 3️⃣MainActor.run {
          let y = 2
          print(y)
        }
        return x
      }
      """),
    Fixture(
      MainActorRun.self, "inside a task of main-actor code",
      """
      @MainActor final class Feed {
        var x = 0
        func f() { Task { print("a"); await 1️⃣MainActor.run { x = 1 }; print("b") } }
      }
      """,
      fixed: """
        @MainActor final class Feed {
          var x = 0
          func f() { Task { print("a"); x = 1; print("b") } }
        }
        """),
    Fixture(
      MainActorRun.self, "code without isolation",
      "final class Feed { func f() async { await MainActor.run { print(1) } } }"),
    Fixture(
      MainActorRun.self, "an actor's method",
      "actor Store { func f() async { await MainActor.run { print(1) } } }"),
    Fixture(
      MainActorRun.self, "a detached task",
      """
      @MainActor final class Feed {
        func f() { Task.detached { await MainActor.run { print(1) } } }
      }
      """),
    Fixture(
      MainActorRun.self, "a nonisolated method",
      "@MainActor final class Feed { nonisolated func f() async { await MainActor.run { print(1) } } }"
    ),
    Fixture(
      MainActorRun.self, "a closure of an unknown function",
      """
      @MainActor final class Feed {
        func f() { service.load { await MainActor.run { print(1) } } }
      }
      """),
    Fixture(
      MainActorRun.self, "a task group's child",
      """
      @MainActor func f() async {
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await MainActor.run { print(1) } }
        }
      }
      """),
    Fixture(
      MainActorRun.self, "a member that a nonisolated requirement keeps off the main actor",
      """
      nonisolated protocol Loading { func load() async }
      @MainActor final class Feed: Loading {
        var count = 0
        func load() async { await MainActor.run { count += 1 } }
      }
      """, compiles: true),
  ]

  @Test(arguments: fixtures)
  func `main-actor-run reports at the markers`(fixture: Fixture) { fixture.verify() }
}
