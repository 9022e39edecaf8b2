import CausewaySystem
import Dispatch
import Foundation
import Synchronization

/// Threads on which a database may block.
///
/// A statement can take a long time. On the concurrent executor it would occupy one of the few
/// threads on which all tasks of the process run. A service has at most one job at a time for each
/// of its connections. So the number of connections limits the number of threads. An idle thread
/// ends after a while.
package final class BlockingThreads: TaskExecutor {
  private struct State {
    var work: [UnownedJob] = []
    /// The number of threads, including idle ones.
    var threads = 0
    /// The number of threads that are blocked and have not been woken.
    var idle = 0
    /// The number of threads that were created or woken and have not looked for work since.
    ///
    /// On a busy machine a thread starts slowly. Without this count, all work that is added in the
    /// meantime would create further threads.
    var coming = 0
    /// Identifies the current poll: a thread without work polls for new work before it blocks.
    ///
    /// It is `nil` if no thread polls, or if new work has been assigned to the polling thread.
    var poll: Int?
    var nextPoll = 0
  }

  /// The name of the threads, and the key by which `Thread.threadDictionary` identifies them.
  ///
  /// A sanitizer may give a new thread the name of the thread that created it.
  package let name: String

  private static let idleLimit = DispatchTimeInterval.seconds(10)
  /// How often a thread polls for new work before it blocks; about 30 µs in total.
  ///
  /// A program that writes row by row adds its next write within this time. Blocking and waking a
  /// thread takes about as long as such a write.
  private static let polls = 100

  private let state = Mutex(State())
  /// The number of elements of `state.work`, readable without the lock.
  private let workCount = Atomic(0)
  // A semaphore is needed because a thread without a task can only block, not suspend.
  private let signal = DispatchSemaphore(value: 0)

  package init(name: String) {
    self.name = name
  }

  /// The number of threads, including idle ones.
  package var count: Int { state.withLock(\.threads) }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    enum Runner { case running, idle, new }
    let runner: Runner = change { state in
      state.work.append(job)
      workCount.store(state.work.count, ordering: .releasing)
      guard state.work.count > state.coming else { return .running }
      state.coming += 1
      if state.poll != nil {
        // The polling thread takes this work, or earlier work.
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
      let thread = Thread { [self] in
        // The name is set on the thread itself: on Linux, a name that is set before the start does
        // not reach the system.
        Thread.current.name = name
        Thread.current.threadDictionary[name] = true
        runAll()
      }
      // The work of a page must not wait behind background work.
      thread.qualityOfService = .userInitiated
      thread.start()
    }
  }

  private func runAll() {
    repeat {
      change { $0.coming -= 1 }
      while let job = takeWork() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    } while waitForWork()
  }

  /// Returns the next piece of work, after a short wait if there is none.
  ///
  /// - Returns: `nil` if there is no work. The thread then counts as idle.
  private func takeWork() -> UnownedJob? {
    let (work, poll) = change { take(from: &$0, mayPoll: true) }
    guard let poll else { return work }
    for _ in 0..<Self.polls where workCount.load(ordering: .acquiring) == 0 {
      // Other threads run first, so polling costs them little time.
      sched_yield()
    }
    return change { state in
      // If the poll was reset, new work was assigned to this thread.
      if state.poll == poll { state.poll = nil } else { state.coming -= 1 }
      return take(from: &state, mayPoll: false).work
    }
  }

  /// Changes the state, under the lock.
  ///
  /// If threads wait for a `Mutex`, each unlock passes it to the next waiting thread, which must
  /// first be woken. With many threads and few processors, there would then always be waiting
  /// threads. So a thread that finds the lock taken lets others run, and tries again before it
  /// waits.
  private func change<T: Sendable>(_ body: (inout State) -> T) -> T {
    for _ in 0..<Self.polls {
      if let value = state.withLockIfAvailable({ body(&$0) }) { return value }
      sched_yield()
    }
    return state.withLock { body(&$0) }
  }

  private func take(from state: inout State, mayPoll: Bool) -> (work: UnownedJob?, poll: Int?) {
    if !state.work.isEmpty {
      defer { workCount.store(state.work.count, ordering: .releasing) }
      return (state.work.removeFirst(), nil)
    }
    if mayPoll, state.poll == nil {
      state.nextPoll += 1
      state.poll = state.nextPoll
      return (nil, state.nextPoll)
    }
    state.idle += 1
    return (nil, nil)
  }

  /// Waits as an idle thread; returns whether the thread continues.
  private func waitForWork() -> Bool {
    while signal.wait(timeout: .now() + Self.idleLimit) == .timedOut {
      let ends = change { state in
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

/// The number of operations that currently block threads of the concurrent executor.
private let blocking = Atomic(0)
/// At most half of these threads are blocked, so the other half runs all other tasks.
private let blockingLimit = ProcessInfo.processInfo.activeProcessorCount / 2

/// Runs an operation that usually blocks for less time than a change of threads takes.
///
/// It blocks the thread of the calling task, unless half of these threads are blocked already. Then
/// it runs on other threads. So a long operation stops no other task.
///
/// An operation of the main actor has to change threads in any case. It runs on the other threads,
/// because one of them usually polls for work and does not need to be woken.
///
/// - Parameter threads: The other threads; `nil` to always stay with the calling task.
package func withBriefBlocking<T: Sendable>(
  _ threads: BlockingThreads?, isolation: isolated (any Actor)? = #isolation,
  _ operation: @concurrent @Sendable () async throws -> T
) async throws -> T {
  guard let threads else { return try await operation() }
  if isolation === MainActor.shared { return try await withExecutor(threads, operation) }
  guard blocking.add(1, ordering: .relaxed).newValue <= blockingLimit else {
    blocking.subtract(1, ordering: .relaxed)
    return try await withExecutor(threads, operation)
  }
  defer { blocking.subtract(1, ordering: .relaxed) }
  return try await operation()
}

/// Runs an operation on an executor; `nil` means the executor of the calling task.
package func withExecutor<T: Sendable>(
  _ executor: (any TaskExecutor)?, _ operation: @concurrent @Sendable () async throws -> T
) async throws -> T {
  try await withTaskExecutorPreference(executor) { try await arrive(operation) }
}

/// The number of operations, which ``arrive(_:)`` counts.
private let arrivals = Atomic(0)

@concurrent private func arrive<T: Sendable>(
  _ operation: @concurrent @Sendable () async throws -> T
) async throws -> T {
  // Without a side effect here, the compiler would omit the switch to the executor.
  arrivals.add(1, ordering: .relaxed)
  return try await operation()
}
