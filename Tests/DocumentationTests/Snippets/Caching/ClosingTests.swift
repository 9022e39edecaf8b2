import CausewayData
import Foundation
import Testing

/// A backing that prints its saves, or fails.
private struct SpokenBacking: StoreBacking {
  struct Full: Error {}

  var isFull = false

  @concurrent func load() async throws -> [Int: String] { [:] }

  @concurrent func save(_ changes: StoreChanges<Int, String>) async throws {
    if isFull { throw Full() }
    try FileHandle.standardOutput.write(contentsOf: Data("saved \(changes.updated)\n".utf8))
  }
}

/// Closing stores after a signal, each in its own process.
@Suite(.timeLimit(.minutes(10)))
struct ClosingTests {
  @MainActor private static func closeWhenAsked(_ drafts: ObservableStore<Int, String>) async {
    // snippet
    for await _ in ShutdownSignal.received() {
      do { try await drafts.close() } catch { exit(1) }
      exit(0)
    }
    // end
  }

  /// Changes a value, which would be saved much later, and sends this process the signal to end.
  @MainActor private static func changeAndTerminate(_ backing: SpokenBacking) async throws {
    let drafts = ObservableStore(
      backing: backing, policy: StorePolicy(debounce: .seconds(3600), maximumWait: .seconds(3600)))
    try await drafts.waitUntilLoaded()
    drafts[7] = "ahoy"
    let closing = Task { await closeWhenAsked(drafts) }
    // Runs after the task has started to wait, because both run on the main actor. The signal is
    // sent to the process and not to this thread, which may block signals.
    let asking = Task { _ = kill(getpid(), ShutdownSignal.terminate.rawValue) }
    await asking.value
    await closing.value
  }

  @Test func `changes are saved before the program ends`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .exitCode(0), observing: [\.standardOutputContent]) {
        try await Self.changeAndTerminate(SpokenBacking())
      })
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    #expect(output.contains(#"saved [7: "ahoy"]"#))
  }

  @Test func `the program reports changes that could not be saved`() async {
    await #expect(processExitsWith: .exitCode(1)) {
      try await Self.changeAndTerminate(SpokenBacking(isFull: true))
    }
  }
}
