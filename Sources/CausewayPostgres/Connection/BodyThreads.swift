import CausewaySystem
import Dispatch
import Foundation
import Synchronization

/// Threads on which the closures of transactions run.
///
/// A closure is synchronous, so its thread waits for the answer to each of its statements. On the
/// concurrent executor it would occupy one of the few threads on which all tasks of the process
/// run. A closure holds a connection, so the connections limit the number of threads. An idle
/// thread ends after a while.
final class BodyThreads: TaskExecutor {
  static let shared = BodyThreads()

  private struct State {
    var jobs: [UnownedJob] = []
    /// The number of threads that are blocked and have not been woken.
    var idle = 0
    /// Whether a thread without a job looks for new jobs before it blocks.
    var isPolled = false
  }

  /// How often a thread looks for a new job before it blocks; about 30 µs in total.
  ///
  /// A program that runs one transaction after another adds the next one within this time.
  private static let polls = 100

  private static let idleLimit = DispatchTimeInterval.seconds(10)
  private let state = Mutex(State())
  /// The number of elements of `state.jobs`, readable without the lock.
  private let jobCount = Atomic(0)
  // A semaphore is needed because a thread without a task can only block, not suspend.
  private let signal = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    enum Runner { case polling, idle, new }
    let runner: Runner = state.withLock { state in
      state.jobs.append(job)
      jobCount.store(state.jobs.count, ordering: .releasing)
      if state.isPolled {
        // Only one thread polls, and it takes only one job.
        state.isPolled = false
        return .polling
      }
      guard state.idle > 0 else { return .new }
      state.idle -= 1
      return .idle
    }
    switch runner {
    case .polling: break
    case .idle: signal.signal()
    case .new:
      Thread { [self] in
        Thread.current.name = "causeway.pq"
        runAll()
      }.start()
    }
  }

  private func runAll() {
    repeat {
      while let job = takeJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    } while waitForJob()
  }

  /// Returns the next job, after a short wait if there is none.
  ///
  /// - Returns: `nil` if there is no job. The thread then counts as idle.
  private func takeJob() -> UnownedJob? {
    let (job, polls) = state.withLock { take(from: &$0, mayPoll: true) }
    guard polls else { return job }
    for _ in 0..<Self.polls where jobCount.load(ordering: .acquiring) == 0 {
      // Other threads run first, so polling costs them little time.
      sched_yield()
    }
    return state.withLock { state in
      // A thread that has added a job may have chosen this thread to run it.
      state.isPolled = false
      return take(from: &state, mayPoll: false).job
    }
  }

  private func take(from state: inout State, mayPoll: Bool) -> (job: UnownedJob?, polls: Bool) {
    if !state.jobs.isEmpty {
      defer { jobCount.store(state.jobs.count, ordering: .releasing) }
      return (state.jobs.removeFirst(), false)
    }
    if mayPoll, !state.isPolled {
      state.isPolled = true
      return (nil, true)
    }
    state.idle += 1
    return (nil, false)
  }

  private func waitForJob() -> Bool {
    while signal.wait(timeout: .now() + Self.idleLimit) == .timedOut {
      let ends = state.withLock { state in
        // If no thread counts as idle, another thread has just woken this one.
        guard state.idle > 0 else { return false }
        state.idle -= 1
        return true
      }
      if ends { return false }
    }
    return true
  }
}

/// Runs an operation on the threads of closures.
func onBodyThread<T: Sendable>(
  _ operation: @concurrent @Sendable () async throws -> T
) async throws -> T {
  try await withTaskExecutorPreference(BodyThreads.shared) { try await arrive(operation) }
}

/// Counts the operations; see ``arrive(_:)``.
private let arrivals = Atomic(0)

@concurrent private func arrive<T: Sendable>(
  _ operation: @concurrent @Sendable () async throws -> T
) async throws -> T {
  // Without a side effect here, the compiler would omit the switch to the executor.
  arrivals.add(1, ordering: .relaxed)
  return try await operation()
}
