import Testing

@testable import causeway

struct UnstartedEffectTests {
  static let fixtures = [
    Fixture(
      UnstartedEffect.self, "an id that nothing starts",
      """
      func f() -> Emission { .perform(id: "search") { _ in } }
      func g() -> Emission { .cancel(1️⃣"serach") }
      func h() -> Emission { .cancel(id: 2️⃣CancelID.other) }
      """),
    Fixture(
      UnstartedEffect.self, "an id that is started",
      """
      func f() -> Emission { .perform(id: "search") { _ in } }
      func g() -> Emission { .cancel("search") }
      """),
    Fixture(
      UnstartedEffect.self, "an id in a variable",
      "func g(_ key: EffectID) -> Emission { .cancel(key) }"),
    Fixture(
      UnstartedEffect.self, "an id that is chosen elsewhere",
      """
      func id(_ x: Bool) -> EffectID { x ? "a" : "b" }
      func g() -> Emission { .cancel("b") }
      """),
    Fixture(
      UnstartedEffect.self, "the task's cancel",
      "func g() { task.cancel(); other.cancel(\"x\") }"),
  ]

  @Test(arguments: fixtures)
  func `unstarted-effect reports at the markers`(fixture: Fixture) { fixture.verify() }
}
