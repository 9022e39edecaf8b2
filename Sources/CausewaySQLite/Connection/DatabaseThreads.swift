import Dispatch
import Foundation
import Synchronization

/// Threads on which SQLite may block, so that the threads of the concurrent executor do not.
///
/// A statement takes as long as it takes, and each one would keep one of the few threads on which all
/// tasks of the process run. A service has at most one job for each of its connections here, so the
/// number of threads is bounded by the number of connections. An idle thread ends after a while.
final class DatabaseThreads: TaskExecutor {
  static let shared = DatabaseThreads()

  private struct State {
    var jobs: [UnownedJob] = []
    /// Threads that wait and have not been woken.
    var idle = 0
  }

  private static let idleLimit = DispatchTimeInterval.seconds(10)

  private let state = Mutex(State())
  // An idle thread can only be blocked; a continuation would not do.
  private let signal = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let hasIdle = state.withLock { state in
      state.jobs.append(job)
      guard state.idle > 0 else { return false }
      state.idle -= 1
      return true
    }
    if hasIdle {
      signal.signal()
    } else {
      Thread { [self] in
        // Here, because on Linux a name that is set before the start is not the system's.
        Thread.current.name = "causeway.sqlite"
        work()
      }.start()
    }
  }

  private func work() {
    repeat {
      while let job = takeJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    } while waitForJob()
  }

  /// The next job; if there is none, the thread counts as idle from now on.
  private func takeJob() -> UnownedJob? {
    state.withLock { state in
      guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
      state.idle += 1
      return nil
    }
  }

  /// Waits as an idle thread; returns whether the thread goes on.
  private func waitForJob() -> Bool {
    while signal.wait(timeout: .now() + Self.idleLimit) == .timedOut {
      let ends = state.withLock { state in
        // If no thread counts as idle, this one has been woken since.
        guard state.idle > 0 else { return false }
        state.idle -= 1
        return true
      }
      if ends { return false }
    }
    return true
  }
}

/// Runs an operation on an executor; `nil` for that of the calling task.
///
/// Actors that the operation calls run there too.
func withExecutor<T: Sendable>(
  _ executor: (any TaskExecutor)?, _ operation: @concurrent @Sendable () async throws -> T
) async throws -> T {
  try await withTaskExecutorPreference(executor) { try await arrive(operation) }
}

/// Counts the operations; see ``arrive(_:)``.
private let arrivals = Atomic(0)

@concurrent private func arrive<T: Sendable>(
  _ operation: @concurrent @Sendable () async throws -> T
) async throws -> T {
  // An actor runs on the thread from which it is called. Without a side effect here, the compiler
  // leaves out the change to the executor and goes to the actor at once, on the caller's thread.
  arrivals.add(1, ordering: .relaxed)
  return try await operation()
}
