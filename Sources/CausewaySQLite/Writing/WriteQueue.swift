import CausewayData
import Synchronization

/// The order of writes: one caller leads, the others wait in line, first come, first served.
///
/// The leader takes those in line into its transaction, so that they share one commit, and then
/// hands the lead to the next one. Waiting callers are suspended and block no thread.
final class WriteQueue: Sendable {
  enum Turn: Sendable {
    /// The caller has the lead, and has to call `leave` when it is done.
    case lead
    /// A leader has done the caller's job.
    case done
  }

  /// A caller in line.
  struct Follower: Sendable {
    /// `nil` for a caller that has to lead, such as closing.
    let job: WriteJob?
    let waiter: Waiter<Result<Turn, any Error>>
  }

  private struct State {
    var isLed = false
    var isClosed = false
    var line: [Follower] = []
  }

  private let state = Mutex(State())

  /// How many callers are in line.
  var count: Int { state.withLock { $0.line.count } }

  /// Waits for the lead, or for a leader to do the job.
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

  /// Waits for the lead even if the task is cancelled.
  ///
  /// - Throws: `closed`.
  func lead() async throws {
    guard let waiter = try join(nil) else { return }
    _ = try await waiter.value { _ in }.get()
  }

  /// Takes the lead, or a place in line, whose waiter is returned.
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

  /// The callers in line whose jobs the leader can do along with its own.
  func takeFollowers(limit: Int) -> [Follower] {
    state.withLock { state in
      let count = state.line.prefix(limit).prefix { $0.job != nil }.count
      defer { state.line.removeFirst(count) }
      return Array(state.line.prefix(count))
    }
  }

  /// Hands the lead to the next in line.
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

  /// Refuses all callers from now on; called by the leader.
  func close() {
    let line = state.withLock { state in
      state.isClosed = true
      defer { state.line = [] }
      return state.line
    }
    for follower in line { follower.waiter.resume(returning: .failure(PersistenceError.closed)) }
  }
}
