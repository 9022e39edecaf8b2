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
        func run() async {
          while true { 2️⃣try? await Task.sleep(nanoseconds: 100) }
        }
        func repeated() async {
          repeat { _ = 3️⃣try? await clock.sleep(for: .seconds(1)) } while true
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
    Fixture(
      CancellationSwallowed.self, "command-line tools",
      """
      func run() async {
        while true {
          if await isReady() { exit(0) }
          try? await Task.sleep(for: .seconds(1))
        }
      }
      """),
    Fixture(
      CancellationSwallowed.self, "the folder of a command-line tool",
      "func run() async { while true { try? await Task.sleep(for: .seconds(1)) } }",
      path: "Sources/AppCLI/Run.swift"),
    Fixture(
      CancellationSwallowed.self, "the folder of an app",
      "func run() async { while true { 1️⃣try? await Task.sleep(for: .seconds(1)) } }",
      path: "Sources/App/Run.swift"),
    Fixture(
      CancellationSwallowed.self, "other ways to cancel the earlier task and to ignore the error",
      """
      @MainActor final class Search {
        var task: Task<Void, Never>?
        var other: Task<Void, Never>? { willSet { other?.cancel() } }
        func caught() {
          task?.cancel()
          task = Task {
            do { 1️⃣try await Task.sleep(for: .seconds(1)) } catch {}
            await search()
          }
        }
        func nested() {
          task?.cancel()
          task = Task {
            if isSlow { 2️⃣try? await Task.sleep(for: .seconds(1)) }
            await search()
          }
        }
        func method() {
          stop()
          task = Task {
            3️⃣try? await Task.sleep(for: .seconds(1))
            await search()
          }
        }
        func observer() {
          other = Task {
            4️⃣try? await Task.sleep(for: .seconds(1))
            await search()
          }
        }
        private func stop() { task?.cancel() }
      }
      func poll() async {
        while true {
          do { try await load() } catch { print(error) }
          5️⃣try? await Task.sleep(for: .seconds(1))
        }
      }
      """),
    Fixture(
      CancellationSwallowed.self, "errors that end the task, and methods that cancel nothing",
      """
      @MainActor final class Search {
        var task: Task<Void, Never>?
        func caught() {
          task?.cancel()
          task = Task {
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
            await search()
          }
        }
        func both() {
          task?.cancel()
          task = Task {
            do {
              try await Task.sleep(for: .seconds(1))
              await search()
            } catch {}
          }
        }
        func toast() {
          task?.cancel()
          task = Task { [weak self] in
            try? await Task.sleep(for: .seconds(1))
            guard let self, self.message?.id == id else { return }
            self.message = nil
          }
        }
        func nested() {
          task?.cancel()
          task = Task {
            if isSlow {
              try? await Task.sleep(for: .seconds(1))
              guard !Task.isCancelled else { return }
            }
            await search()
          }
        }
        func method() {
          reset()
          task = Task {
            try? await Task.sleep(for: .seconds(1))
            await search()
          }
        }
        private func reset() { results = [] }
      }
      func poll() async {
        while true {
          do { try await load() } catch { return }
          try? await Task.sleep(for: .seconds(1))
        }
      }
      """),
    Fixture(
      CancellationSwallowed.self, "a flag in the condition of a task that starts again",
      """
      @MainActor final class Health {
        private var task: Task<Void, Never>?
        func start() {
          task?.cancel()
          task = Task { [weak self] in
            while let self, self.isRecording {
              1️⃣try? await Task.sleep(for: .seconds(2))
            }
          }
        }
      }
      """),
    Fixture(
      CancellationSwallowed.self, "a flag that changes with the cancellation",
      """
      @MainActor final class Health {
        private var task: Task<Void, Never>?
        func start() {
          task = Task { [weak self] in
            while let self, self.isRecording {
              try? await Task.sleep(for: .seconds(2))
            }
          }
        }
        func stop() { isRecording = false; task?.cancel() }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `cancellation-swallowed reports at the markers`(fixture: Fixture) { fixture.verify() }
}
