import Testing

@testable import causeway

struct CancellationSwallowedTests {
  static let fixtures = [
    Fixture(
      CancellationSwallowed.self, "loops",
      """
      @MainActor final class Poller {
        private var task: Task<Void, Never>?
        func start() {
          task = Task { [weak self] in
            while true {
              await self?.poll()
              1️⃣try? await Task.sleep(for: .seconds(5))
            }
          }
        }
        func stop() { task?.cancel() }
        func waitUntilReady() async {
          while !isReady { 2️⃣try? await Task.sleep(nanoseconds: 100) }
          repeat { _ = 3️⃣try? await clock.sleep(for: .seconds(1)) } while isBusy
        }
      }
      struct Page: View {
        var body: some View {
          Text("a").task { while isShown { 4️⃣try? await Task.sleep(for: .seconds(1)) } }
        }
      }
      """),
    Fixture(
      CancellationSwallowed.self, "debounces",
      """
      @MainActor final class Search {
        private var task: Task<Void, Never>?
        func changed(_ text: String) {
          task?.cancel()
          task = Task {
            1️⃣try? await Task.sleep(for: .milliseconds(300))
            await search(text)
          }
        }
        func toast() {
          task?.cancel()
          self.task = Task { [weak self] in
            2️⃣try? await Task.sleep(for: .seconds(3))
            self?.message = nil
          }
        }
      }
      struct Page: View {
        var body: some View {
          Text("a").task(id: text) {
            3️⃣try? await Task.sleep(for: .seconds(1))
            await search(text)
          }
        }
      }
      """),
    Fixture(
      CancellationSwallowed.self, "loops that end after a cancellation",
      """
      @MainActor final class Poller {
        private var task: Task<Void, Never>?
        func start() {
          task = Task {
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(5)) }
            while true {
              try? await Task.sleep(for: .seconds(5))
              if Task.isCancelled { return }
            }
            while (try? await Task.sleep(for: .seconds(5))) != nil { poll() }
            do {
              while true { try await poll(); try? await Task.sleep(for: .seconds(5)) }
            } catch {}
            for _ in 0..<10 { try? await Task.sleep(for: .seconds(5)) }
          }
        }
        func stop() { task?.cancel() }
      }
      """),
    Fixture(
      CancellationSwallowed.self, "tasks that nothing cancels",
      """
      @MainActor final class Poller {
        func wait() async {
          let timer = Task {
            try? await Task.sleep(for: .seconds(1))
            continuation.finish()
          }
          for await _ in idle {}
          timer.cancel()
        }
        private var task: Task<Void, Never>?
        private var other: Task<Void, Never>?
        func start() {
          Task { while true { try? await Task.sleep(for: .seconds(5)) } }
          task = Task { while true { try? await Task.sleep(for: .seconds(5)) } }
          other = Task { [weak self] in
            while true {
              guard let self else { return }
              poll()
              try? await Task.sleep(for: .seconds(5))
            }
          }
        }
        deinit { other?.cancel() }
      }
      """),
    Fixture(
      CancellationSwallowed.self, "debounces that end after a cancellation",
      """
      @MainActor final class Search {
        private var task: Task<Void, Never>?
        private var other: Task<Void, Never>?
        func checked(_ text: String) {
          task?.cancel()
          task = Task {
            try? await Task.sleep(for: .milliseconds(300))
            guard !Task.isCancelled else { return }
            await search(text)
          }
        }
        func thrown(_ text: String) {
          task?.cancel()
          task = Task {
            try await Task.sleep(for: .milliseconds(300))
            await search(text)
          }
        }
        func throwsNext(_ text: String) {
          task?.cancel()
          task = Task {
            try? await Task.sleep(for: .milliseconds(300))
            items = try await search(text)
          }
        }
        func single() {
          task?.cancel()
          other = Task {
            try? await Task.sleep(for: .seconds(1))
            hide()
          }
        }
        func last() {
          task?.cancel()
          task = Task { await search(""); try? await Task.sleep(for: .seconds(1)) }
        }
      }
      """),
    Fixture(
      CancellationSwallowed.self, "loops that count their turns",
      """
      func retry() async -> Bool {
        var count = 0
        var isDone = false
        repeat {
          isDone = await attempt()
          count += 1
          try? await Task.sleep(for: .seconds(1))
        } while !isDone && count < 3
        while count > 0 {
          count -= 1
          try? await Task.sleep(for: .seconds(1))
        }
        return isDone
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `cancellation-swallowed reports at the markers`(fixture: Fixture) { fixture.verify() }
}
