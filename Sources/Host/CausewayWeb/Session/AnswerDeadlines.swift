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
    /// Oldest first; some are over.
    var waits: [Wait] = []
    /// The number of waits at which the finished waits are removed.
    var limit = 64
    var task: Task<Void, Never>?

    /// Adds a wait.
    ///
    /// The list has at most 64 elements, or twice as many as there were open waits when the
    /// finished waits were last removed. Complexity: amortised O(1).
    mutating func add(_ waiter: Waiter<End>, until deadline: ContinuousClock.Instant) {
      if waits.count >= limit {
        waits.removeAll(where: \.waiter.isResumed)
        limit = max(64, 2 * waits.count)
      }
      waits.append(Wait(waiter: waiter, deadline: deadline))
    }
  }

  /// The longest time of a wait.
  let time: Duration
  private let state = Mutex(State())

  init(_ time: Duration) { self.time = time }

  deinit { state.withLock(\.task)?.cancel() }

  /// The number of waits in the list, including those that are over.
  var count: Int { state.withLock(\.waits.count) }

  /// Ends a wait as `late` when its time is over, unless the wait has ended before.
  func add(_ waiter: Waiter<End>) {
    state.withLock { state in
      state.add(waiter, until: .now + time)
      guard state.task == nil else { return }
      // The task serves all sessions, so it must not keep the task-local values and the priority of
      // the action that comes first.
      state.task = Task.detached { [weak self] in
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
      state.waits.removeAll(where: \.waiter.isResumed)
      if state.waits.isEmpty { state.task = nil }
      return state.waits.first?.deadline
    }
  }

  private func endLate() {
    let late = state.withLock { $0.waits.prefix { $0.deadline <= .now } }
    for wait in late { wait.waiter.resume(returning: .late) }
  }
}
