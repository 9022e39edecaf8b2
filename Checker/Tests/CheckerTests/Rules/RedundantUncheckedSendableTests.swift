import Testing

@testable import causeway

struct RedundantUncheckedSendableTests {
  static let fixtures = [
    Fixture(
      RedundantUncheckedSendable.self, "actors and main-actor types",
      """
      protocol Named {}
      actor Store: 1️⃣@unchecked Sendable {}
      @MainActor final class Box<Value>: 2️⃣@unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
      }
      @MainActor final class Feed: Named, 3️⃣@unchecked Sendable { var x = 0 }
      @MainActor class Page: 4️⃣@unchecked Sendable, Named { var x = 0 }
      """,
      fixed: """
        protocol Named {}
        actor Store {}
        @MainActor final class Box<Value> {
          var value: Value
          init(_ value: Value) { self.value = value }
        }
        @MainActor final class Feed: Named { var x = 0 }
        @MainActor class Page: Named { var x = 0 }
        """),
    Fixture(
      RedundantUncheckedSendable.self, "an extension has no fix",
      """
      @MainActor final class Feed { var x = 0 }
      extension Feed: 1️⃣@unchecked Sendable {}
      """),
    Fixture(
      RedundantUncheckedSendable.self, "a class without isolation",
      "final class Box: @unchecked Sendable { let x = 1 }"),
    Fixture(
      RedundantUncheckedSendable.self, "a subclass that must restate it",
      """
      @MainActor class Base: Sendable {}
      final class Old: @unchecked Sendable { let x = 1 }
      class Parent: @unchecked Sendable { let x = 1 }
      final class Child: Parent, @unchecked Sendable {}
      """),
    Fixture(
      RedundantUncheckedSendable.self, "a superclass of another module",
      "@MainActor final class Feed: ExternalModel, @unchecked Sendable {}"),
    Fixture(
      RedundantUncheckedSendable.self, "checked Sendable",
      "@MainActor final class Feed: Sendable { let x = 1 }"),
  ]

  @Test(arguments: fixtures)
  func `redundant-unchecked-sendable reports at the markers`(fixture: Fixture) { fixture.verify() }
}
