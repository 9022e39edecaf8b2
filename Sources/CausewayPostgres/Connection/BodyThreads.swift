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
    var threads = 0
    /// The number of threads that are blocked and have not been woken.
    var idle = 0
    /// The number of threads that were created or woken and have not yet looked for a job.
    ///
    /// On a busy machine a thread needs a while to start. Without this count, every job of that
    /// while would create another thread.
    var coming = 0
    /// The number of the current poll; `nil` if there is none, or if its thread must take a job.
    ///
    /// A thread without a job polls for a new job before it blocks.
    var poll: Int?
    var nextPoll = 0
  }

  /// How often a thread checks for a new job before it blocks; about 30 µs in total.
  ///
  /// A program that runs one transaction after another adds the next one within this time.
  private static let polls = 100

  private static let idleLimit = DispatchTimeInterval.seconds(10)
  private let state = Mutex(State())
  /// The number of elements of `state.jobs`, readable without the lock.
  private let jobCount = Atomic(0)
  // A semaphore is needed because a thread without a task can only block, not suspend.
  private let signal = DispatchSemaphore(value: 0)

  /// The number of threads, including idle ones.
  var count: Int { state.withLock(\.threads) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    enum Runner { case running, idle, new }
    let runner: Runner = state.withLock { state in
      state.jobs.append(job)
      jobCount.store(state.jobs.count, ordering: .releasing)
      guard state.jobs.count > state.coming else { return .running }
      state.coming += 1
      if state.poll != nil {
        // Only one thread polls, and it takes this job or one before it.
        state.poll = nil
        return .running
      }
      guard state.idle > 0 else {
        state.threads += 1
        return .new
      }
      state.idle -= 1
      return .idle
    }
    switch runner {
    case .running: break
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
      state.withLock { $0.coming -= 1 }
      while let job = takeJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    } while waitForJob()
  }

  /// Returns the next job, after a short wait if there is none.
  ///
  /// - Returns: `nil` if there is no job. The thread then counts as idle.
  private func takeJob() -> UnownedJob? {
    let (job, poll) = state.withLock { take(from: &$0, mayPoll: true) }
    guard let poll else { return job }
    for _ in 0..<Self.polls where jobCount.load(ordering: .acquiring) == 0 {
      // Other threads run first, so polling costs them little time.
      sched_yield()
    }
    return state.withLock { state in
      // `enqueue` may have left a new job to this thread.
      if state.poll == poll { state.poll = nil } else { state.coming -= 1 }
      return take(from: &state, mayPoll: false).job
    }
  }

  private func take(from state: inout State, mayPoll: Bool) -> (job: UnownedJob?, poll: Int?) {
    if !state.jobs.isEmpty {
      defer { jobCount.store(state.jobs.count, ordering: .releasing) }
      return (state.jobs.removeFirst(), nil)
    }
    if mayPoll, state.poll == nil {
      state.nextPoll += 1
      state.poll = state.nextPoll
      return (nil, state.nextPoll)
    }
    state.idle += 1
    return (nil, nil)
  }

  private func waitForJob() -> Bool {
    while signal.wait(timeout: .now() + Self.idleLimit) == .timedOut {
      let ends = state.withLock { state in
        // If no thread counts as idle, another thread has just woken this one.
        guard state.idle > 0 else { return false }
        state.idle -= 1
        state.threads -= 1
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
