import Foundation
import Synchronization

/// The tasks of all running simulations.
///
/// If a thread outside a simulation resumes one of its tasks, the trial cannot be repeated. Such a
/// job is reported and not run.
enum SimulatedTasks {
  private struct Contents {
    /// The number of the simulation of each task.
    var simulations: [UInt64: Int] = [:]
    var escapes: [Int: Escape] = [:]
    var lastSimulation = 0
  }

  /// The first job of a simulation that a thread outside the simulation resumed.
  struct Escape: Sendable {
    let task: UInt64
    let thread: String
  }

  private static let contents = Mutex(Contents())
  /// The number of simulations with an escape, which each step reads without the lock.
  private static let escapeCount = Atomic(0)

  /// Returns the number of a new simulation.
  static func begin() -> Int {
    contents.withLock {
      $0.lastSimulation += 1
      return $0.lastSimulation
    }
  }

  static func add(_ task: UInt64, to simulation: Int) {
    contents.withLock { $0.simulations[task] = simulation }
  }

  /// Removes the tasks of a simulation.
  static func end(_ simulation: Int, tasks: some Sequence<UInt64>) {
    contents.withLock { contents in
      for task in tasks { contents.simulations[task] = nil }
      guard contents.escapes.removeValue(forKey: simulation) != nil else { return }
      escapeCount.subtract(1, ordering: .releasing)
    }
  }

  static func escape(of simulation: Int) -> Escape? {
    guard escapeCount.load(ordering: .acquiring) > 0 else { return nil }
    return contents.withLock { $0.escapes[simulation] }
  }

  /// Returns whether a job belongs to a simulation of another thread, and records that it escaped.
  static func takeEscaped(_ job: UnownedJob) -> Bool {
    let task = taskID(of: job)
    return contents.withLock { contents in
      guard task != 0, let simulation = contents.simulations[task] else { return false }
      if contents.escapes[simulation] == nil {
        contents.escapes[simulation] = Escape(task: task, thread: threadName())
        escapeCount.add(1, ordering: .releasing)
      }
      return true
    }
  }

  private static func threadName() -> String {
    let name = Thread.current.name ?? ""
    return name.isEmpty ? "a thread without a name" : "the thread \"\(name)\""
  }
}

/// Returns the number that the runtime gives to the task of a job; 0 for a job without a task.
///
/// The standard library prints this number in the description of a job. It has no public function
/// that returns the number.
@_silgen_name("swift_task_getJobTaskId")
func taskID(of job: UnownedJob) -> UInt64
