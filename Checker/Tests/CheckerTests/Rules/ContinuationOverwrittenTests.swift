import Testing

@testable import causeway

struct ContinuationOverwrittenTests {
  static let fixtures = [
    Fixture(
      ContinuationOverwritten.self, "a property that may hold a continuation",
      """
      @MainActor final class Finder {
        private var continuation: CheckedContinuation<Int, any Error>?
        func locate() async throws -> Int {
          try await withCheckedThrowingContinuation { continuation in
            1️⃣self.continuation = continuation
            requestOnce()
          }
        }
      }
      actor Gate {
        var waiter: UnsafeContinuation<Void, Never>?
        func wait() async { await withUnsafeContinuation { 2️⃣waiter = $0 } }
      }
      """),
    Fixture(
      ContinuationOverwritten.self, "the earlier continuation is checked or resumed first",
      """
      @MainActor final class Finder {
        private var continuation: CheckedContinuation<Int, any Error>?
        private var isRunning = false
        func guarded() async throws -> Int {
          guard continuation == nil else { throw Busy() }
          return try await withCheckedThrowingContinuation { self.continuation = $0 }
        }
        func resumed() async throws -> Int {
          continuation?.resume(throwing: CancellationError())
          return try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
          }
        }
        func inside() async throws -> Int {
          try await withCheckedThrowingContinuation { new in
            continuation?.resume(throwing: CancellationError())
            continuation = new
          }
        }
        func cancel() { continuation?.resume(throwing: CancellationError()); continuation = nil }
        func cancelled() async throws -> Int {
          cancel()
          return try await withCheckedThrowingContinuation { self.continuation = $0 }
        }
        func flagged() async throws -> Int {
          if isRunning { throw Busy() }
          return try await withCheckedThrowingContinuation { self.continuation = $0 }
        }
      }
      """),
    Fixture(
      ContinuationOverwritten.self, "a list, a dictionary and a local variable",
      """
      actor Gate {
        var waiters: [CheckedContinuation<Void, Never>] = []
        var byID: [Int: CheckedContinuation<Void, Never>] = [:]
        func wait() async { await withCheckedContinuation { waiters.append($0) } }
        func wait(for id: Int) async { await withCheckedContinuation { byID[id] = $0 } }
        func local() async {
          var continuation: CheckedContinuation<Void, Never>?
          await withCheckedContinuation { continuation = $0 }
        }
      }
      """),
    Fixture(
      ContinuationOverwritten.self, "objects for one call",
      """
      private final class Request: NSObject {
        var continuation: CheckedContinuation<Int, Never>?
        func run() async -> Int { await withCheckedContinuation { continuation = $0 } }
      }
      final class Picker: NSObject {
        var continuation: CheckedContinuation<Int, Never>?
        func run() async -> Int { await withCheckedContinuation { continuation = $0 } }
      }
      func pick() async -> Int {
        let picker = Picker()
        return await picker.run()
      }
      """),
    Fixture(
      ContinuationOverwritten.self, "an object that a call makes for itself",
      """
      final class Probe: NSObject {
        static func first() async -> Int { await Probe().run() }
        private var continuation: CheckedContinuation<Int, Never>?
        private func run() async -> Int { await withCheckedContinuation { continuation = $0 } }
      }
      """),
    Fixture(
      ContinuationOverwritten.self, "a value, and another type",
      """
      struct Box {
        var continuation: CheckedContinuation<Int, Never>?
        mutating func run() async -> Int { await withCheckedContinuation { continuation = $0 } }
      }
      final class Stream {
        var continuation: AsyncStream<Int>.Continuation?
        func run() -> AsyncStream<Int> { AsyncStream { continuation = $0 } }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `continuation-overwritten reports at the markers`(fixture: Fixture) { fixture.verify() }
}
