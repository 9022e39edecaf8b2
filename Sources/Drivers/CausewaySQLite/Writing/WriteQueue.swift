import CausewayBasics
import CausewayDatabase
import Synchronization

/// Queues writes: one caller leads, and the others wait in the order of their calls.
///
/// The leader runs the jobs of waiting callers in its own transaction, so they share one commit.
/// Then it passes the lead to the next caller. Waiting callers are suspended and block no thread.
final class WriteQueue: Sendable {
  enum Turn: Sendable {
    /// The caller leads, and must call `leave` when it has finished.
    case lead
    /// A leader has run the caller's job.
    case done
  }

  /// A waiting caller.
  struct Follower: Sendable {
    /// `nil` for a caller that must lead, for example to close the writer.
    let job: WriteJob?
    let waiter: Waiter<Result<Turn, any Error>>
  }

  private struct State {
    var isLed = false
    var isClosed = false
    var line: [Follower] = []
  }

  private let state = Mutex(State())

  /// The number of waiting callers.
  var count: Int { state.withLock { $0.line.count } }

  /// Makes the caller the leader if there is none; returns whether the caller leads now.
  ///
  /// - Throws: `closed`.
  func leadIfFree() throws -> Bool {
    try state.withLock { state in
      if state.isClosed { throw PersistenceError.closed }
      defer { state.isLed = true }
      return !state.isLed
    }
  }

  /// Waits until the caller leads, or until a leader has run its job.
  ///
  /// - Throws: The job's error, `CancellationError` while the job waits, or `closed`.
  func enter(_ job: WriteJob) async throws -> Turn {
    guard let waiter = try join(job) else { return .lead }
    return try await waiter.value { waiter in
      let isInLine = state.withLock { state in
        guard let index = state.line.firstIndex(where: { $0.waiter === waiter }) else {
          return false
        }
        state.line.remove(at: index)
        return true
      }
      if isInLine { waiter.resume(returning: .failure(CancellationError())) }
    }.get()
  }

  /// Waits until the caller leads, even if the task is cancelled.
  ///
  /// - Throws: `closed`.
  func lead() async throws {
    guard let waiter = try join(nil) else { return }
    _ = try await waiter.value { _ in }.get()
  }

  /// Returns `nil` if the caller leads now, otherwise the waiter of its place in the queue.
  private func join(_ job: WriteJob?) throws -> Waiter<Result<Turn, any Error>>? {
    try state.withLock { state in
      if state.isClosed { throw PersistenceError.closed }
      guard state.isLed else {
        state.isLed = true
        return nil
      }
      let follower = Follower(job: job, waiter: Waiter())
      state.line.append(follower)
      return follower.waiter
    }
  }

  /// Removes and returns the waiting callers whose jobs the leader can run.
  func takeFollowers(limit: Int) -> [Follower] {
    state.withLock { state in
      let count = state.line.prefix(limit).prefix { $0.job != nil }.count
      defer { state.line.removeFirst(count) }
      return Array(state.line.prefix(count))
    }
  }

  /// Passes the lead to the next waiting caller.
  func leave() {
    let next: Follower? = state.withLock { state in
      guard !state.line.isEmpty else {
        state.isLed = false
        return nil
      }
      return state.line.removeFirst()
    }
    next?.waiter.resume(returning: .success(.lead))
  }

  /// Refuses all waiting and later callers; called by the leader.
  func close() {
    let line = state.withLock { state in
      state.isClosed = true
      defer { state.line = [] }
      return state.line
    }
    for follower in line { follower.waiter.resume(returning: .failure(PersistenceError.closed)) }
  }
}
