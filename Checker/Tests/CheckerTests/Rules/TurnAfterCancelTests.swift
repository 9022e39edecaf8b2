import Testing

@testable import causeway

struct TurnAfterCancelTests {
  static let fixtures = [
    Fixture(
      TurnAfterCancel.self, "statements after the sleep",
      """
      func poll() async {
        while !Task.isCancelled {
          1️⃣try? await Task.sleep(for: .seconds(1))
          await refresh()
        }
        while !Task.isCancelled, isOn {
          await refresh()
          2️⃣try? await clock.sleep(for: .seconds(1))
          count += 1
        }
      }
      """),
    Fixture(
      TurnAfterCancel.self, "a sleep at the end, a check after it and an error that ends the loop",
      """
      func poll() async {
        while !Task.isCancelled {
          await refresh()
          try? await Task.sleep(for: .seconds(1))
        }
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(1))
          guard !Task.isCancelled else { return }
          await refresh()
        }
        while !Task.isCancelled {
          do { try await Task.sleep(for: .seconds(1)) } catch { return }
          await refresh()
        }
        while isOn {
          try? await Task.sleep(for: .seconds(1))
          await refresh()
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `turn-after-cancel reports at the markers`(fixture: Fixture) { fixture.verify() }
}
