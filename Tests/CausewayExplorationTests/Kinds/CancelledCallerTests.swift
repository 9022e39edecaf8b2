import Testing

@testable import CausewayExploration

private actor LoadedOnce {
  private var running: Task<String, any Error>?
  private let isMended: Bool

  init(isMended: Bool) { self.isMended = isMended }

  func load() async throws -> String {
    let work =
      running
      ?? Task {
        try await Task.sleep(for: .seconds(1))
        return "value"
      }
    running = work
    if isMended { return try await work.value }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      // The work of the other callers ends too.
      work.cancel()
    }
  }
}

private func body(isMended: Bool) -> @Sendable () async throws -> Void {
  {
    let loader = LoadedOnce(isMended: isMended)
    let first = Task { try await loader.load() }
    let second = Task { try await loader.load() }
    first.cancel()
    _ = try? await first.value
    let value = try await second.value
    #expect(value == "value")
  }
}

struct CancelledCallerTests {
  @Test func `a cancelled first caller that ends the work of others is found`() {
    let orders = explore(body(isMended: false))
    #expect("\(orders)".contains("CancellationError"), "\(orders)")
  }

  @Test func `work that outlives its first caller passes`() {
    let orders = explore(trials: 1_000, body(isMended: true))
    #expect(orders.failure == nil, "\(orders)")
  }

  @Test func `the cancellation of a caller at any step is a fault that a test can switch on`() {
    let body: @Sendable () async throws -> Void = {
      let loader = LoadedOnce(isMended: false)
      let results = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<2 {
          group.addTask {
            do {
              _ = try await loader.load()
              return true
            } catch {
              // Only the cancelled caller may fail.
              return Task.isCancelled
            }
          }
        }
        return await group.reduce(into: [Bool]()) { $0.append($1) }
      }
      try require(results.allSatisfy(\.self), "a caller failed, although it was not cancelled")
    }
    #expect(explore(trials: 1_000, body).failure == nil)
    let orders = explore(cancelsTasks: true, body)
    #expect(orders.failure?.reason.contains("it was not cancelled") == true, "\(orders)")
    #expect(orders.failure.map { "\($0)".contains("is cancelled") } == true, "\(orders)")
  }
}
