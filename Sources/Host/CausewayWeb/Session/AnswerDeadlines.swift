import CausewayBasics
import Synchronization

/// The time limit of the answers that wait for effects.
///
/// All answers have the same limit, so the oldest wait is over first, and one task sleeps for all of
/// them. A task and a timer for each action would cost more than many actions.
final class AnswerDeadlines: Sendable {
  /// How the wait of an answer has ended.
  enum End: Sendable {
    /// The effects have ended.
    case ended
    /// The time is over.
    case late
    /// The session has ended.
    case interrupted
  }

  private struct Wait {
    let waiter: Waiter<End>
    let deadline: ContinuousClock.Instant
  }

  private struct State {
    /// The waits, oldest first; those before `first` are over.
    var waits: [Wait] = []
    var first = 0
    var task: Task<Void, Never>?

    /// The oldest wait that is not over.
    ///
    /// Complexity: amortised O(1) for each wait.
    mutating func oldest() -> Wait? {
      while first < waits.count, waits[first].waiter.isResumed { first += 1 }
      if first > waits.count / 2 {
        waits.removeFirst(first)
        first = 0
      }
      return waits.first { !$0.waiter.isResumed }
    }
  }

  /// The longest time of a wait.
  let time: Duration
  private let state = Mutex(State())

  init(_ time: Duration) { self.time = time }

  deinit { state.withLock(\.task)?.cancel() }

  /// Ends a wait as late when its time is over, unless it has ended before.
  func add(_ waiter: Waiter<End>) {
    let wait = Wait(waiter: waiter, deadline: .now + time)
    state.withLock { state in
      state.waits.append(wait)
      if state.task != nil {
        _ = state.oldest()
        return
      }
      state.task = Task { [weak self] in
        while let deadline = self?.nextDeadline() {
          do { try await Task.sleep(until: deadline, clock: .continuous) } catch { return }
          self?.endLate()
        }
      }
    }
  }

  /// The time of the next late wait; `nil` ends the task.
  private func nextDeadline() -> ContinuousClock.Instant? {
    state.withLock { state in
      let next = state.oldest()?.deadline
      if next == nil { state.task = nil }
      return next
    }
  }

  private func endLate() {
    let late = state.withLock { state in
      state.waits[state.first...].prefix { $0.deadline <= .now }
    }
    for wait in late { wait.waiter.resume(returning: .late) }
  }
}
