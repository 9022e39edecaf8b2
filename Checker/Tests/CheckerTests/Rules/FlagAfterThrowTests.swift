import Testing

@testable import causeway

struct FlagAfterThrowTests {
  static let fixtures = [
    Fixture(
      FlagAfterThrow.self, "an error leaves the flag",
      """
      @MainActor final class Feed {
        var isLoading = false
        var state = State()
        func load() async throws {
          guard !isLoading else { return }
          1️⃣isLoading = true
          items = try await fetch()
          isLoading = false
        }
        func caught() async {
          do {
            2️⃣self.state.isBusy = true
            try await fetch()
            self.state.isBusy = false
          } catch {
            print(error)
          }
        }
        func task() {
          task = Task {
            3️⃣isLoading = true
            let value = try await fetch()
            show(value)
            isLoading = false
          }
        }
      }
      struct Page: View {
        @State private var isSaving = false
        func save() throws {
          4️⃣isSaving = true
          try store.save()
          isSaving = false
        }
      }
      """),
    Fixture(
      FlagAfterThrow.self, "the flag is reset after an error",
      """
      @MainActor final class Feed {
        var isLoading = false
        func deferred() async throws {
          isLoading = true
          defer { isLoading = false }
          items = try await fetch()
          isLoading = false
        }
        func caught() async {
          do {
            isLoading = true
            try await fetch()
            isLoading = false
          } catch {
            isLoading = false
          }
        }
        func after() async {
          do {
            isLoading = true
            try await fetch()
            isLoading = false
          } catch { print(error) }
          isLoading = false
        }
        func inner() async {
          isLoading = true
          do { try await fetch() } catch { print(error) }
          isLoading = false
        }
        func optional() async {
          isLoading = true
          items = try? await fetch()
          isLoading = false
        }
      }
      """),
    Fixture(
      FlagAfterThrow.self, "nothing throws between, or it is another flag",
      """
      @MainActor final class Feed {
        var isLoading = false
        var isSignedIn = false
        func plain() async throws {
          try await fetch()
          isLoading = true
          await refresh()
          isLoading = false
          try await fetch()
        }
        func result() async throws {
          isSignedIn = false
          try await fetch()
          isSignedIn = true
        }
        func local() async throws {
          var isBusy = true
          isBusy = true
          try await fetch()
          isBusy = false
        }
        func closure() async throws {
          isLoading = true
          run { try await fetch() }
          isLoading = false
        }
      }
      """),
    Fixture(
      FlagAfterThrow.self, "a value that the error discards",
      """
      struct Parser {
        var isQuoted = false
        mutating func parse() throws {
          isQuoted = true
          try next()
          isQuoted = false
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `flag-after-throw reports at the markers`(fixture: Fixture) { fixture.verify() }
}
