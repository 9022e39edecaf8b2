import Testing

@testable import causeway

struct UnstoredTaskTests {
  static let fixtures = [
    Fixture(
      UnstoredTask.self, "loops that no code can cancel",
      """
      final class Feed {
        init(stream: AsyncStream<Int>) {
          1️⃣Task { for await item in stream { print(item) } }
          2️⃣Task.detached { while !Task.isCancelled { await poll() } }
        }
      }
      """),
    Fixture(
      UnstoredTask.self, "a stored task",
      "final class Feed { func f() { task = Task { for await i in s { print(i) } } } }"),
    Fixture(
      UnstoredTask.self, "work that ends",
      "final class Feed { func f() { Task { await load() } } }"),
    Fixture(
      UnstoredTask.self, "a returned task",
      "final class Feed { func f() -> Task<Void, Never> { return Task { for await i in s {} } } }"),
  ]

  @Test(arguments: fixtures)
  func `unstored-task reports at the markers`(fixture: Fixture) { fixture.verify() }
}
