import Testing

@testable import causeway

struct EffectConcurrentTests {
  private static func nonsending(_ settings: inout BuildSettings) {
    settings.upcomingFeatures = ["NonisolatedNonsendingByDefault"]
  }

  static let fixtures = [
    Fixture(
      EffectConcurrent.self, "stored and returned effects",
      """
      struct Effect {
        let work: 1️⃣@Sendable (Int) async -> Void
        var operation: (2️⃣@Sendable () async throws -> Void)?
        enum Kind { case perform(3️⃣@Sendable () async -> Void) }
        typealias Work = 4️⃣@Sendable () async -> Void
        func make() -> 5️⃣@Sendable () async -> Void { work2 }
      }
      """, settings: nonsending),
    Fixture(
      EffectConcurrent.self, "without the feature",
      "struct Effect { let work: @Sendable () async -> Void }"),
    Fixture(
      EffectConcurrent.self, "types that state their isolation",
      """
      struct Effect {
        let work: @concurrent @Sendable () async -> Void
        let work2: @MainActor @Sendable () async -> Void
        let work3: nonisolated(nonsending) @Sendable () async -> Void
        let work4: @Sendable @isolated(any) () async -> Void
      }
      """, settings: nonsending),
    Fixture(
      EffectConcurrent.self, "a dependency with a result",
      "struct Client { let load: @Sendable (Int) async throws -> String }", settings: nonsending),
    Fixture(
      EffectConcurrent.self, "a parameter",
      "func run(_ work: @escaping @Sendable () async -> Void) {}", settings: nonsending),
    Fixture(
      EffectConcurrent.self, "a synchronous closure",
      "struct Effect { let work: @Sendable () -> Void }", settings: nonsending),
  ]

  @Test(arguments: fixtures)
  func `effect-concurrent reports at the markers`(fixture: Fixture) { fixture.verify() }
}
