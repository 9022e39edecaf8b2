import Testing

@testable import causeway

struct HiddenRandomnessTests {
  static let fixtures = [
    Fixture(
      HiddenRandomness.self, "an interactor and a type with a clock",
      """
      struct Feed: Interactor {
        func add() { use(1️⃣UUID(), 2️⃣Date(), 3️⃣Int.random(in: 0..<9)) }
        func later() async throws { try await 4️⃣Task.sleep(for: .seconds(1)) }
      }
      final class Retry {
        let clock: any Clock<Duration>
        func f() { _ = 5️⃣Date.now; _ = 6️⃣items.shuffled() }
      }
      """),
    Fixture(
      HiddenRandomness.self, "another type",
      "struct Page { func add() { use(UUID(), Date()) } }"),
    Fixture(
      HiddenRandomness.self, "a default value",
      """
      struct Feed: Interactor {
        let now: () -> Date
        var id = UUID()
        init(clock: any Clock<Duration> = ContinuousClock()) {}
      }
      """),
    Fixture(
      HiddenRandomness.self, "an injected generator or clock",
      """
      struct Feed: Interactor {
        func f() async throws {
          use(Int.random(in: 0..<9, using: &generator), items.shuffled(using: &generator))
          try await Task.sleep(for: .seconds(1), clock: clock)
        }
      }
      """),
    Fixture(
      HiddenRandomness.self, "a date with arguments",
      "struct Feed: Interactor { func f() { use(Date(timeIntervalSince1970: 0), UUID(uuidString: s)) } }"
    ),
  ]

  @Test(arguments: fixtures)
  func `hidden-randomness reports at the markers`(fixture: Fixture) { fixture.verify() }
}
