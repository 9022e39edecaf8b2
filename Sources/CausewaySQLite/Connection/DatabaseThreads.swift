import CausewaySystem
import Dispatch
import Foundation
import Synchronization

/// Threads on which SQLite may block, so that the threads of the concurrent executor do not.
///
/// A statement takes as long as it takes, and each one would keep one of the few threads on which all
/// tasks of the process run. A service has at most one job for each of its connections here, so the
/// number of threads is bounded by the number of connections. An idle thread ends after a while.
package final class DatabaseThreads: TaskExecutor {
  static let shared = DatabaseThreads()

  private enum Work {
    case job(UnownedJob)
    case lane(DatabaseLane)
  }

  private struct State {
    var work: [Work] = []
    /// Threads that are blocked and have not been woken.
    var idle = 0
    /// Whether a thread without work looks for new work before it blocks.
    var isPolled = false
  }

  /// The name of the threads, and the key by which `Thread.threadDictionary` identifies them.
  ///
  /// A sanitizer may give a new thread the name of the thread that created it.
  package static let name = "causeway.sqlite"

  private static let idleLimit = DispatchTimeInterval.seconds(10)
  /// How often a thread looks for new work before it blocks, about 30 µs in total.
  ///
  /// A program that writes row by row has its next write in less time. Blocking and waking a thread
  /// takes about as long as such a write.
  private static let polls = 100

  private let state = Mutex(State())
  /// The number of elements of `state.work`, readable without the lock.
  private let workCount = Atomic(0)
  // An idle thread can only be blocked; a continuation would not do.
  private let signal = DispatchSemaphore(value: 0)

  package func enqueue(_ job: consuming ExecutorJob) {
    add(.job(UnownedJob(job)))
  }

  /// Runs the jobs of a lane on one of the threads.
  fileprivate func run(_ lane: DatabaseLane) {
    add(.lane(lane))
  }

  private func add(_ work: Work) {
    enum Runner { case polling, idle, new }
    let runner: Runner = state.withLock { state in
      state.work.append(work)
      workCount.store(state.work.count, ordering: .releasing)
      if state.isPolled {
        // One thread polls, and it takes one piece of work.
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
        // Here, because on Linux a name that is set before the start is not the system's.
        Thread.current.name = Self.name
        Thread.current.threadDictionary[Self.name] = true
        runAll()
      }.start()
    }
  }

  private func runAll() {
    repeat {
      while let work = takeWork() {
        switch work {
        case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .lane(let lane): lane.runAll()
        }
      }
    } while waitForWork()
  }

  /// Returns the next work, after a short wait if there is none.
  ///
  /// - Returns: `nil` if the thread counts as idle from now on.
  private func takeWork() -> Work? {
    switch state.withLock({ take(from: &$0, mayPoll: true) }) {
    case .work(let work): return work
    case .idle: return nil
    case .poll: break
    }
    for _ in 0..<Self.polls where workCount.load(ordering: .acquiring) == 0 {
      // Other threads run first, so polling takes little time from them.
      sched_yield()
    }
    return state.withLock { state in
      // A thread that added work may rely on this thread.
      state.isPolled = false
      guard case .work(let work) = take(from: &state, mayPoll: false) else { return nil }
      return work
    }
  }

  private enum Next {
    case work(Work)
    case poll
    case idle
  }

  private func take(from state: inout State, mayPoll: Bool) -> Next {
    if !state.work.isEmpty {
      defer { workCount.store(state.work.count, ordering: .releasing) }
      return .work(state.work.removeFirst())
    }
    if mayPoll, !state.isPolled {
      state.isPolled = true
      return .poll
    }
    state.idle += 1
    return .idle
  }

  /// Waits as an idle thread; returns whether the thread goes on.
  private func waitForWork() -> Bool {
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

/// Runs the jobs of one connection's actor, one after the other, on the threads.
///
/// The job of a statement resumes its caller before it ends, and the caller may have the next
/// statement before that. The thread then takes that job too, and no other thread is woken for it.
final class DatabaseLane: SerialExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isRunning = false
  }

  private let threads: DatabaseThreads
  private let state = Mutex(State())

  fileprivate init(_ threads: DatabaseThreads) {
    self.threads = threads
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let starts = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts { threads.run(self) }
  }

  fileprivate func runAll() {
    while let job = takeJob() { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  private func takeJob() -> UnownedJob? {
    state.withLock { state in
      guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
      state.isRunning = false
      return nil
    }
  }
}

/// Where a connection's actor runs.
enum ConnectionExecutor: Sendable {
  case threads(DatabaseLane)
  /// An actor without an executor of its own runs on that of the calling task.
  case callers(CallersActor)

  actor CallersActor {}

  /// An executor for one actor.
  ///
  /// - Parameter threads: Where it runs; `nil` for the executor of the calling task.
  init(_ threads: DatabaseThreads?) {
    self = threads.map { .threads(DatabaseLane($0)) } ?? .callers(CallersActor())
  }

  var unowned: UnownedSerialExecutor {
    switch self {
    case .threads(let lane): lane.asUnownedSerialExecutor()
    case .callers(let actor): actor.unownedExecutor
    }
  }
}

/// Runs an operation on an executor; `nil` for that of the calling task.
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
  // Without a side effect here, the compiler leaves out the change to the executor.
  arrivals.add(1, ordering: .relaxed)
  return try await operation()
}
