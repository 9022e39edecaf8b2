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
    Fixture(
      FlagAfterThrow.self, "the reset is in a do or in a task",
      """
      @MainActor final class Feed {
        enum State { case idle, loading, loaded }
        var isLoading = false
        var state = State.idle
        func attempt() async {
          1️⃣isLoading = true
          do {
            items = try await fetch()
            isLoading = false
          } catch { print(error) }
        }
        func task() {
          2️⃣isLoading = true
          Task { [weak self] in
            let items = try await fetch()
            self?.isLoading = false
          }
        }
        func attemptInTask() {
          3️⃣isLoading = true
          task = Task {
            do {
              about = try await fetch()
              await MainActor.run { self.isLoading = false }
            } catch { print(error) }
          }
        }
        func cases() async throws {
          4️⃣state = .loading
          items = try await fetch()
          state = .loaded
        }
        func hop() async throws {
          await MainActor.run { 5️⃣isLoading = true }
          items = try await fetch()
          await MainActor.run { isLoading = false }
        }
      }
      """),
    Fixture(
      FlagAfterThrow.self, "the flag is reset after an error in a do or in a task",
      """
      @MainActor final class Feed {
        enum State { case idle, loading, loaded, failed }
        var isLoading = false
        var state = State.idle
        func caught() async {
          isLoading = true
          do {
            items = try await fetch()
            isLoading = false
          } catch { isLoading = false }
        }
        func after() async {
          isLoading = true
          do {
            items = try await fetch()
            isLoading = false
          } catch { print(error) }
          isLoading = false
        }
        func deferred() {
          isLoading = true
          Task {
            defer { isLoading = false }
            items = try await fetch()
            isLoading = false
          }
        }
        func plain() {
          isLoading = true
          Task {
            await refresh()
            isLoading = false
            try await fetch()
          }
        }
        func cases() async {
          state = .loading
          do {
            items = try await fetch()
            state = .loaded
          } catch { state = .failed }
        }
        func ended() async throws {
          state = .loaded
          items = try await fetch()
          state = .idle
        }
      }
      """),
    Fixture(
      FlagAfterThrow.self, "a view that is dismissed after an error",
      """
      struct Compose: View {
        @State private var isLoading = false
        func prepare() async {
          do {
            isLoading = true
            draft = try await load()
            isLoading = false
          } catch { dismissCompose() }
        }
      }
      """),
    Fixture(
      FlagAfterThrow.self, "a pause",
      """
      struct CopyButton: View {
        @State private var isCopied = false
        func copy() {
          isCopied = true
          Task {
            try await Task.sleep(for: .seconds(1))
            withAnimation { isCopied = false }
          }
        }
      }
      """),
    Fixture(
      FlagAfterThrow.self, "a method resets the flag",
      """
      @MainActor final class Feed {
        enum State { case idle, loading, loaded, failed }
        var state = State.idle
        func load() async {
          state = .loading
          do {
            items = try await fetch()
            state = .loaded
          } catch { failed(error) }
        }
        private func failed(_ error: any Error) { state = .failed }
      }
      """),
    Fixture(
      FlagAfterThrow.self, "the caller resets the flag",
      """
      @MainActor final class Feed {
        var isLoading = false
        func load() async {
          do { try await reload() } catch { isLoading = false }
        }
        private func reload() async throws {
          isLoading = true
          items = try await fetch()
          isLoading = false
        }
      }
      """),
    Fixture(
      FlagAfterThrow.self, "a guard that returns after an error",
      """
      @MainActor final class Feed {
        var isLoading = false
        func load() async {
          1️⃣isLoading = true
          guard let items = try? await fetch() else { return }
          show(items)
          isLoading = false
        }
        func reset() async {
          isLoading = true
          guard let items = try? await fetch() else {
            isLoading = false
            return
          }
          show(items)
          isLoading = false
        }
        func other() async {
          isLoading = true
          guard let items = cache else { return }
          show(items)
          isLoading = false
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `flag-after-throw reports at the markers`(fixture: Fixture) { fixture.verify() }
}
