import Testing

@testable import causeway

struct DetachedSelfTests {
  static let fixtures = [
    Fixture(
      DetachedSelf.self, "only isolated methods of self",
      """
      @MainActor final class Feed {
        func start() {
          1️⃣Task.detached { await self.refresh() }
          2️⃣Task.detached(priority: .low) { [weak self] in
            guard let self else { return }
            await self.refresh()
          }
        }
        func refresh() async {}
      }
      actor Cache {
        func get() { 3️⃣Task.detached { _ = await self.load() } }
        func load() async -> Int { 1 }
      }
      """),
    Fixture(
      DetachedSelf.self, "other work in the body",
      """
      @MainActor final class Feed {
        func start() {
          Task.detached {
            let image = decode()
            await self.show(image)
          }
        }
        func show(_ image: Int) {}
      }
      """),
    Fixture(
      DetachedSelf.self, "a nonisolated method",
      """
      @MainActor final class Feed {
        func start() { Task.detached { await self.work() } }
        nonisolated func work() async {}
      }
      """),
    Fixture(
      DetachedSelf.self, "a method of another object",
      "@MainActor final class Feed { let a = 1; func f() { Task.detached { await other.load() } } }"
    ),
    Fixture(
      DetachedSelf.self, "a class without isolation",
      """
      final class Feed: Sendable {
        func start() { Task.detached { await self.work() } }
        func work() async {}
      }
      """),
    Fixture(
      DetachedSelf.self, "code that is not on the actor",
      """
      actor Store {
        nonisolated func changed() { Task.detached { await self.load() } }
        nonisolated func saved(_ database: Database) {
          database.afterCommit { [weak self] in Task.detached { await self?.load() } }
        }
        func load() async {}
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `detached-self reports at the markers`(fixture: Fixture) { fixture.verify() }
}
