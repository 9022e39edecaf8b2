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
    var idle = 0
  }

  private static let idleLimit = DispatchTimeInterval.seconds(10)
  private let state = Mutex(State())
  // A semaphore is needed because a thread without a task can only block, not suspend.
  private let signal = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let wakes = state.withLock { state in
      state.jobs.append(job)
      guard state.idle > 0 else { return false }
      state.idle -= 1
      return true
    }
    if wakes {
      signal.signal()
    } else {
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

  /// Returns the next job; if there is none, the thread counts as idle.
  private func takeJob() -> UnownedJob? {
    state.withLock { state in
      if state.jobs.isEmpty {
        state.idle += 1
        return nil
      }
      return state.jobs.removeFirst()
    }
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
