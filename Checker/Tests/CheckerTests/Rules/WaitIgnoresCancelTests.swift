import Testing

@testable import causeway

struct WaitIgnoresCancelTests {
  static let fixtures = [
    Fixture(
      WaitIgnoresCancel.self, "loops of async functions",
      """
      final class Player {
        func waitUntilReady() async {
          while !isReady { 1️⃣try? await Task.sleep(nanoseconds: 100) }
          repeat { _ = 2️⃣try? await clock.sleep(for: .seconds(1)) } while isBusy
        }
        func wait(until deadline: Date) async -> Bool {
          while Date() < deadline {
            if isReady { return true }
            3️⃣try? await Task.sleep(for: .milliseconds(50))
          }
          return false
        }
      }
      """),
    Fixture(
      WaitIgnoresCancel.self, "loops that end after a cancellation, and loops of tasks",
      """
      final class Player {
        func waitUntilReady() async throws {
          while !isReady { try await Task.sleep(nanoseconds: 100) }
          while !isReady, !Task.isCancelled { try? await Task.sleep(nanoseconds: 100) }
          while !isReady {
            try? await Task.sleep(nanoseconds: 100)
            if Task.isCancelled { return }
          }
        }
        func start() {
          task = Task { while isOn { try? await Task.sleep(for: .seconds(1)) } }
        }
        func retry() async {
          var count = 0
          while count < 3 {
            count += 1
            try? await Task.sleep(for: .seconds(1))
          }
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `wait-ignores-cancel reports at the markers`(fixture: Fixture) { fixture.verify() }
}
