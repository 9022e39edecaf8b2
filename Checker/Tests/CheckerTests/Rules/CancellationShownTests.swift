import Testing

@testable import causeway

struct CancellationShownTests {
  static let fixtures = [
    Fixture(
      CancellationShown.self, "an error that people see",
      """
      @MainActor final class List {
        var errorText: String?
        var state = State.idle
        func load() async {
          do { items = try await fetch() } catch { 1️⃣errorText = error.localizedDescription }
        }
        func start() {
          task = Task {
            do { items = try await fetch() } catch let failure { 2️⃣self.state = .failed(failure) }
          }
        }
      }
      """),
    Fixture(
      CancellationShown.self, "cancellations are apart",
      """
      @MainActor final class List {
        var errorText: String?
        func load() async {
          do { items = try await fetch() } catch is CancellationError {} catch {
            errorText = error.localizedDescription
          }
        }
        func checked() async {
          do { items = try await fetch() } catch {
            guard !Task.isCancelled else { return }
            errorText = error.localizedDescription
          }
        }
      }
      """),
    Fixture(
      CancellationShown.self, "errors that nothing stores, and code without await",
      """
      @MainActor final class List {
        var errorText: String?
        func load() async {
          do { items = try await fetch() } catch { print(error) }
          do { items = try decode() } catch { errorText = error.localizedDescription }
          do { items = try await fetch() } catch { title = "Try again" }
          do { items = try await fetch() } catch { isReady = true }
        }
        var title = ""
        var isReady = false
      }
      final class Store {
        var failure: (any Error)?
        func load() async { do { try await fetch() } catch { failure = error } }
      }
      """),
    Fixture(
      CancellationShown.self, "a text and a flag about failures",
      """
      @MainActor final class List {
        var errorText: String?
        var isAlertShown = false
        func load() async {
          do { items = try await fetch() } catch { 1️⃣errorText = "Try again" }
          do { items = try await fetch() } catch { 2️⃣errorText = String(localized: "Try again") }
          do { items = try await fetch() } catch { 3️⃣isAlertShown = true }
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `cancellation-shown reports at the markers`(fixture: Fixture) { fixture.verify() }
}
