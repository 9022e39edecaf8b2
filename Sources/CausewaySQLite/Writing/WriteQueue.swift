import CausewayData
import Synchronization

/// The order of writes: one caller leads, the others wait in line, first come, first served.
///
/// The leader takes those in line into its transaction, so that they share one commit, and then
/// hands the lead to the next one. Nothing blocks: whoever waits is suspended.
final class WriteQueue: Sendable {
  enum Turn: Sendable {
    /// The caller has the lead, and has to call `leave` when it is done.
    case lead
    /// A leader has done the caller's job.
    case done
  }

  struct Waiter: Sendable {
    fileprivate let id: Int
    /// `nil` for one that has to lead, such as closing.
    let job: WriteJob?
    let continuation: CheckedContinuation<Turn, any Error>
  }

  fileprivate struct State {
    var isLed = false
    var isClosed = false
    var waiters: [Waiter] = []
    var nextID = 0
  }

  private let state = Mutex(State())

  /// How many are in line.
  var count: Int { state.withLock { $0.waiters.count } }

  /// Waits for the lead, or for a leader to do the job.
  ///
  /// - Throws: The job's error, `CancellationError` while the job waits, or `closed`.
  func enter(_ job: WriteJob) async throws -> Turn {
    if try takeFreeLead() { return .lead }
    let id = state.withLock { $0.takeID() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(Waiter(id: id, job: job, continuation: continuation), isCancellable: true)
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Waits for the lead even if the task is cancelled.
  ///
  /// - Throws: `closed`.
  func lead() async throws {
    if try takeFreeLead() { return }
    let id = state.withLock { $0.takeID() }
    _ = try await withCheckedThrowingContinuation { continuation in
      wait(Waiter(id: id, job: nil, continuation: continuation), isCancellable: false)
    }
  }

  /// Those in line whose jobs the leader can do along with its own.
  func takeFollowers(limit: Int) -> [Waiter] {
    state.withLock { state in
      let count = state.waiters.prefix(limit).prefix { $0.job != nil }.count
      defer { state.waiters.removeFirst(count) }
      return Array(state.waiters.prefix(count))
    }
  }

  /// Hands the lead to the next in line.
  func leave() {
    let next: Waiter? = state.withLock { state in
      guard !state.waiters.isEmpty else {
        state.isLed = false
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.continuation.resume(returning: .lead)
  }

  /// Lets nobody in any more; called by the leader.
  func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.continuation.resume(throwing: PersistenceError.closed) }
  }

  private func takeFreeLead() throws -> Bool {
    try state.withLock { state in
      if state.isClosed { throw PersistenceError.closed }
      guard !state.isLed else { return false }
      state.isLed = true
      return true
    }
  }

  private func wait(_ waiter: Waiter, isCancellable: Bool) {
    let answer: Result<Turn, any Error>? = state.withLock { state in
      // The cancellation handler may have run before there was anything to resume. It takes the
      // same lock, so a cancellation is seen either here or there.
      if isCancellable && Task.isCancelled { return .failure(CancellationError()) }
      if state.isClosed { return .failure(PersistenceError.closed) }
      if !state.isLed {
        state.isLed = true
        return .success(.lead)
      }
      state.waiters.append(waiter)
      return nil
    }
    if let answer { waiter.continuation.resume(with: answer) }
  }

  private func cancel(_ id: Int) {
    let waiter: Waiter? = state.withLock { state in
      state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
    }
    waiter?.continuation.resume(throwing: CancellationError())
  }
}

extension WriteQueue.State {
  fileprivate mutating func takeID() -> Int {
    defer { nextID += 1 }
    return nextID
  }
}
