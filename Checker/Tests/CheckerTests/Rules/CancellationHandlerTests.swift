import Testing

@testable import causeway

struct CancellationHandlerTests {
  static let fixtures = [
    Fixture(
      CancellationHandler.self, "a resume without a lock",
      """
      final class Wants: @unchecked Sendable {
        var continuation: CheckedContinuation<Void, any Error>?
        func want() async throws {
          try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation = $0 }
          } onCancel: {
            1️⃣self.continuation?.resume(throwing: CancellationError())
            self.continuation = nil
          }
        }
      }
      """),
    Fixture(
      CancellationHandler.self, "a waiter that is stored after the handler has run",
      """
      final class Permits: Sendable {
        let waiters = Mutex<[Int: CheckedContinuation<Void, any Error>]>([:])
        func acquire(_ id: Int) async throws {
          try await withTaskCancellationHandler {
            try await 1️⃣withCheckedThrowingContinuation { continuation in
              waiters.withLock { $0[id] = continuation }
            }
          } onCancel: {
            waiters.withLock { $0.removeValue(forKey: id) }?.resume(throwing: CancellationError())
          }
        }
      }
      """),
    Fixture(
      CancellationHandler.self, "a resume under a lock, and a task on the actor",
      """
      final class Wants: @unchecked Sendable {
        let lock = NSLock()
        var continuation: CheckedContinuation<Void, any Error>?
        func want() async throws {
          try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
              lock.withLock { self.continuation = continuation }
              if Task.isCancelled { take()?.resume(throwing: CancellationError()) }
            }
          } onCancel: {
            lock.withLock { self.continuation.take() }?.resume(throwing: CancellationError())
          }
        }
      }
      actor Permits {
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        func acquire(_ id: Int) async throws {
          try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiters[id] = $0 }
          } onCancel: {
            Task { await self.drop(id) }
          }
        }
      }
      """),
    Fixture(
      CancellationHandler.self, "a handler that leaves a note",
      """
      final class Permits: Sendable {
        let state = Mutex(State())
        func acquire(_ id: Int) async throws {
          try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
              state.withLock { $0.begin(continuation) }
            }
          } onCancel: {
            state.withLock { $0.ended = true; return $0.waiter }?.resume(throwing: CancellationError())
          }
        }
      }
      """),
    Fixture(
      CancellationHandler.self, "a handler that cancels a task",
      """
      final class Loader: @unchecked Sendable {
        var request: Request?
        func load() async throws {
          try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
              request = send { continuation.resume(with: $0) }
            }
          } onCancel: {
            self.request?.cancel()
          }
        }
      }
      """),
    Fixture(
      CancellationHandler.self, "a method of the state stores the continuation",
      """
      final class Buffer: Sendable {
        func next() async throws -> Int? {
          try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
              state.withLock { $0.suspendNext(continuation: continuation) }
            }
          } onCancel: {
            state.withLock { $0.endNext() }?.resume(returning: nil)
          }
        }
      }
      """),
    Fixture(
      CancellationHandler.self, "a method that resumes",
      """
      final class Request {
        var continuation: CheckedContinuation<Void, any Error>?
        func send() async throws {
          try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation = $0 }
          } onCancel: { [weak self] in
            1️⃣self?.finish()
          }
        }
        private func finish() {
          continuation?.resume(throwing: CancellationError())
          continuation = nil
        }
      }
      """),
    Fixture(
      CancellationHandler.self, "methods that hold a lock, or resume nothing",
      """
      final class Request {
        var continuation: CheckedContinuation<Void, any Error>?
        func send() async throws {
          try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation = $0 }
          } onCancel: {
            self.finish()
            self.stop()
            Task { @MainActor in self.close() }
          }
        }
        private func finish() {
          lock.withLock { continuation.take() }?.resume(throwing: CancellationError())
        }
        private func stop() { connection.cancel() }
        @MainActor private func close() { continuation?.resume() }
      }
      """),
  ]

  @Test(arguments: fixtures)
  func `cancellation-handler reports at the markers`(fixture: Fixture) { fixture.verify() }
}
