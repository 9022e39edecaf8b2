import Testing

@testable import causeway

struct MainActorBlockingTests {
  static let fixtures = [
    Fixture(
      MainActorBlocking.self, "calls that block the main thread",
      """
      import SwiftUI
      @MainActor final class Model {
        private let ready = DispatchSemaphore(value: 0)
        func load() {
          1️⃣Thread.sleep(forTimeInterval: 1)
          2️⃣ready.wait()
          let group = DispatchGroup()
          3️⃣group.wait()
          4️⃣process.waitUntilExit()
          5️⃣usleep(100_000)
        }
      }
      """),
    Fixture(
      MainActorBlocking.self, "heavy work in async code",
      """
      import SwiftUI
      @MainActor final class Model {
        func load() async throws {
          let data = try 1️⃣Data(contentsOf: url)
          let text = try 2️⃣String(contentsOf: url, encoding: .utf8)
          image = 3️⃣CGImageSourceCreateThumbnailAtIndex(source, 0, nil)
          let jpeg = 4️⃣picture.jpegData(compressionQuality: 1)
          for item in items { rows.append(try 5️⃣decoder.decode(Row.self, from: item)) }
          6️⃣sqlite3_step(statement)
        }
      }
      """),
    Fixture(
      MainActorBlocking.self, "default isolation",
      """
      import SwiftUI
      final class Model {
        func load() async throws { data = try 1️⃣Data(contentsOf: url) }
        func start() { Task { data = try 2️⃣Data(contentsOf: url) } }
        @concurrent func read() async throws { _ = try Data(contentsOf: url) }
        nonisolated func size() async throws -> Int { try Data(contentsOf: url).count }
      }
      """
    ) { $0.defaultIsolation = .mainActor },
    Fixture(
      MainActorBlocking.self, "a function on the actor of a main-actor caller",
      """
      import SwiftUI
      struct Files {
        func read() async throws -> Data { try 1️⃣Data(contentsOf: url) }
        func size() async throws -> Int { try Data(contentsOf: url).count }
        @concurrent func hash() async throws -> Int { try Data(contentsOf: url).hashValue }
      }
      @MainActor final class Model {
        func load() async throws {
          data = try await files.read()
          hash = try await files.hash()
        }
      }
      """
    ) { $0.upcomingFeatures = ["NonisolatedNonsendingByDefault"] },
    Fixture(
      MainActorBlocking.self, "synchronous code in Swift 5 mode, which can be on another thread",
      """
      import SwiftUI
      @MainActor final class Model {
        func type() { Thread.sleep(forTimeInterval: 1) }
        func load() async { 1️⃣Thread.sleep(forTimeInterval: 1) }
      }
      """
    ) { $0.languageMode = 5 },
    Fixture(
      MainActorBlocking.self, "a sleep that is too short to be seen",
      """
      import SwiftUI
      @MainActor final class Keys {
        func press() { down(); usleep(2_000); up() }
      }
      """),
    Fixture(
      MainActorBlocking.self, "synchronous code",
      """
      import SwiftUI
      @MainActor final class Model {
        func load() throws {
          data = try Data(contentsOf: url)
          image = CGImageSourceCreateThumbnailAtIndex(source, 0, nil)
        }
      }
      """),
    Fixture(
      MainActorBlocking.self, "work off the main actor",
      """
      import SwiftUI
      final class Files {
        func read() async throws -> Data { try Data(contentsOf: url) }
        func wait() { Thread.sleep(forTimeInterval: 1) }
      }
      actor Store {
        func read() async throws -> Data { try Data(contentsOf: url) }
      }
      @MainActor final class Model {
        func load() async {
          Task.detached { try Data(contentsOf: url) }
          DispatchQueue.global().async { Thread.sleep(forTimeInterval: 1) }
          await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? Data(contentsOf: url) }
          }
        }
      }
      """),
    Fixture(
      MainActorBlocking.self, "calls that suspend, and functions of the module",
      """
      import SwiftUI
      func sleep(_ seconds: Int) {}
      @MainActor final class Model {
        func load() async throws {
          try await Task.sleep(for: .seconds(1))
          sleep(1)
          await gate.wait()
          turnstile.wait()
          while true {
            guard let data = try await retry() else { continue }
            return try decoder.decode(Row.self, from: data)
          }
          for _ in 0..<24 {
            let state = try decoder.decode(State.self, from: await poll())
            if state.isReady { break }
          }
          let copy = Data(bytes)
          let text = String(describing: copy)
        }
      }
      """),
    Fixture(
      MainActorBlocking.self, "a semaphore that is only asked",
      """
      import SwiftUI
      @MainActor func ask() -> Bool {
        let free = DispatchSemaphore(value: 1)
        return free.wait(timeout: .now()) == .success
      }
      """),
    Fixture(
      MainActorBlocking.self, "code that is never reached, and the end of the process",
      """
      import SwiftUI
      @MainActor func copy() -> String {
        return text
        print(text)
        DispatchQueue.main.async { sleep(1) }
      }
      @MainActor func stop() {
        suspend()
        Thread.sleep(forTimeInterval: 2)
        exit(0)
      }
      """),
    Fixture(
      MainActorBlocking.self, "a command-line tool",
      """
      @MainActor final class Command {
        func run() { process.waitUntilExit() }
      }
      """),
    Fixture(
      MainActorBlocking.self, "a test",
      "import SwiftUI\nimport XCTest\n@MainActor func wait() { Thread.sleep(forTimeInterval: 1) }"),
    Fixture(
      MainActorBlocking.self, "a loop that waits for each answer",
      """
      import SwiftUI
      @MainActor final class Modules {
        func refresh() async throws {
          for module in modules {
            let (data, _) = try await session.data(from: module.url)
            print(try JSONDecoder().decode(Module.self, from: data))
          }
        }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `main-actor-blocking reports at the markers`(fixture: Fixture) { fixture.verify() }

  @Test func `A type that a view in another file names is checked`() {
    let fixture = Fixture(
      MainActorBlocking.self, "a type that a view names",
      """
      @MainActor final class Model {
        func load() { 1️⃣Thread.sleep(forTimeInterval: 1) }
      }
      """)
    let view = "import SwiftUI\nstruct Page: View { let model: Model }\n"
    fixture.verify(with: [SourceFile(path: "Page.swift", text: view)])
  }
}
