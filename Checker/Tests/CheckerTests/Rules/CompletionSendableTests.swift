import Testing

@testable import causeway

struct CompletionSendableTests {
  static let fixtures = [
    Fixture(
      CompletionSendable.self, "a completion without isolation",
      "func load(completion: 1️⃣@escaping (Int) -> Void) {}"),
    Fixture(
      CompletionSendable.self, "completions with isolation",
      """
      func load(completion: @escaping @Sendable (Int) -> Void) {}
      func load(completion: @escaping @MainActor (Int) -> Void) {}
      """),
    Fixture(
      CompletionSendable.self, "main-actor code",
      "@MainActor func load(completion: @escaping (Int) -> Void) {}"),
    Fixture(
      CompletionSendable.self, "another closure",
      "func load(transform: @escaping (Int) -> Int) {}"),
  ]

  @Test(arguments: fixtures)
  func `completion-sendable reports at the markers`(fixture: Fixture) { fixture.verify() }
}
