import Synchronization
public import Testing

/// Runs tests with this trait one at a time, across all suites.
///
/// Use it for explorations: other tests on the main actor would change the order of their steps.
public struct OneAtATime: TestTrait, SuiteTrait, TestScoping {
  /// Each test of a suite has the trait.
  public var isRecursive: Bool { true }

  /// Waits for earlier tests, and then runs the test.
  ///
  /// A suite itself does not wait.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Line.shared.enter()
    defer { Line.shared.leave() }
    try await function()
  }
}

extension Trait where Self == OneAtATime {
  /// Runs tests with this trait one at a time.
  public static var oneAtATime: OneAtATime { OneAtATime() }
}

private final class Line: Sendable {
  static let shared = Line()

  private struct State {
    var isTaken = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiters.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func leave() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      if state.waiters.isEmpty {
        state.isTaken = false
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.resume()
  }
}
