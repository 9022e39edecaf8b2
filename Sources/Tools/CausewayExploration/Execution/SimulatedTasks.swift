import CSimulatedSystem
import Synchronization

/// The tasks of all running simulations.
///
/// If a thread outside a simulation resumes one of its tasks, the trial cannot be repeated. Such a
/// job is reported and not run.
package enum SimulatedTasks {
  private struct Contents {
    /// The number of the simulation of each task of a running simulation.
    var simulations: [UInt64: Int] = [:]
    /// The tasks of the simulations that have ended, in order.
    ///
    /// A thread outside may still resume some of them. The numbers of the runtime increase, so there
    /// are few ranges.
    var ended: [ClosedRange<UInt64>] = []
    /// The largest number of nodes of a simulation so far.
    var mostNodes = 0
    var escapes: [Int: Escape] = [:]
    /// The names of the running trials.
    var names: [Int: String] = [:]
    var lastSimulation = 0

    /// Records that the current thread has used the tasks of a running simulation, although the
    /// thread does not belong to it.
    ///
    /// - Parameter task: The task, if it is suspended.
    mutating func note(_ kind: Escape.Kind, _ simulation: Int, _ task: Task<Void, Never>? = nil) {
      // After the trial, a job is only dropped.
      guard names[simulation] != nil, escapes[simulation] == nil else { return }
      escapes[simulation] = Escape(
        kind: kind, thread: SimulatedTasks.nameOfThread,
        functions: task.map { WaitingPlace.functions(of: $0) } ?? [])
      escapeCount.add(1, ordering: .releasing)
    }

    /// Adds the tasks of a simulation that has ended.
    mutating func end(_ ranges: [ClosedRange<UInt64>]) {
      for range in ranges {
        let place = place(of: range.lowerBound)
        if place > 0, ended[place - 1].upperBound + 1 == range.lowerBound {
          ended[place - 1] = ended[place - 1].lowerBound...range.upperBound
        } else {
          ended.insert(range, at: place)
        }
      }
    }

    /// Whether a task belongs to a simulation that has ended.
    func hasEnded(_ task: UInt64) -> Bool {
      let place = place(of: task)
      return ended.indices.contains(place) && ended[place].contains(task)
        || place > 0 && ended[place - 1].contains(task)
    }

    /// The index of the first range that begins at a task or later.
    private func place(of task: UInt64) -> Int {
      var low = 0
      var high = ended.count
      while low < high {
        let middle = (low + high) / 2
        if ended[middle].lowerBound < task { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// The first use of a simulation's tasks by a thread outside of the simulation.
  package struct Escape: Sendable {
    package enum Kind: Sendable {
      /// The thread resumed a task.
      case resumed
      /// The thread ran a task, because it ran the actor that the task waited for.
      case ran
      /// The simulation began the thread, and the thread began a task.
      case began

      fileprivate var text: String {
        switch self {
        case .resumed: "resumed one of its tasks"
        case .ran: "ran one of its tasks, on an actor that both use"
        case .began: "began a task, although the simulation had begun the thread"
        }
      }
    }

    package let kind: Kind
    package let thread: String
    /// The functions in which the task has waited, the innermost first; empty if they are unknown.
    package let functions: [String]

    /// The operation of the thread, and the function in which the task has waited.
    package var text: String {
      functions.isEmpty ? kind.text : "\(kind.text), in \(functions.joined(separator: " in "))"
    }
  }

  /// Describes the current thread.
  private static var nameOfThread: String {
    var bytes = [CChar](repeating: 0, count: 64)
    let length = causeway_thread_name(&bytes, bytes.count)
    let name = bytes.prefix(length).map { UInt8(bitPattern: $0) }
    // On Linux, a thread without a name has the first 15 bytes of the program's name.
    let program = CommandLine.arguments.first?.split(separator: "/").last?.utf8.prefix(15)
    guard !name.isEmpty, !name.elementsEqual(program ?? "".utf8.prefix(0)) else {
      return "a thread without a name"
    }
    return "the thread \"\(String(decoding: name, as: UTF8.self))\""
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

  static func announce(_ simulation: Int, _ name: String) {
    contents.withLock { $0.names[simulation] = name }
  }

  /// Whether a task belongs to a simulation that runs on another thread.
  static func isOfOther(_ task: UInt64, than simulation: Int) -> Bool {
    contents.withLock { $0.simulations[task].map { $0 != simulation } ?? false }
  }

  /// Notes the number of nodes of a simulation.
  package static func setNodes(_ count: Int) {
    contents.withLock { $0.mostNodes = max($0.mostNodes, count) }
  }

  /// The names of the running trials.
  package static var names: [String] {
    contents.withLock { contents in contents.names.sorted { $0.key < $1.key }.map(\.value) }
  }

  static func add(_ task: UInt64, to simulation: Int) {
    contents.withLock { $0.simulations[task] = simulation }
  }

  /// Ends a simulation.
  ///
  /// - Parameter tasks: The numbers of its tasks, in order.
  static func end(_ simulation: Int, tasks: [UInt64]) {
    contents.withLock { contents in
      var ranges: [ClosedRange<UInt64>] = []
      for task in tasks {
        contents.simulations[task] = nil
        if let last = ranges.last, last.upperBound + 1 == task {
          ranges[ranges.count - 1] = last.lowerBound...task
        } else {
          ranges.append(task...task)
        }
      }
      contents.end(ranges)
      contents.names[simulation] = nil
      guard contents.escapes.removeValue(forKey: simulation) != nil else { return }
      escapeCount.subtract(1, ordering: .releasing)
    }
  }

  static func escape(of simulation: Int) -> Escape? {
    guard escapeCount.load(ordering: .acquiring) > 0 else { return nil }
    return contents.withLock { $0.escapes[simulation] }
  }

  /// Returns whether a job belongs to a simulation of another thread, and records that it escaped.
  package static func takeEscaped(_ job: UnownedJob) -> Bool {
    let task = taskID(of: job)
    if task != 0, note(.resumed, task, TaskMemory(job).task) { return true }
    // The job belongs to no simulation. But a thread that a simulation has begun must not begin
    // tasks.
    if let threads = SimulatedSystem.threadsOfCurrent {
      contents.withLock { $0.note(.began, threads.simulation) }
    }
    return false
  }

  /// Records that the current thread, which belongs to no simulation, runs a task of a simulation.
  ///
  /// - Returns: The largest number of nodes in a simulation; `nil` if the current task belongs
  ///   to no simulation.
  package static func noteForeignRun() -> Int? {
    let id = withUnsafeCurrentTask { task in
      // A task and a job are both pointers to the runtime's object of the task.
      task.map { taskID(of: unsafeBitCast($0, to: UnownedJob.self)) }
    }
    guard let id, note(.ran, id) else { return nil }
    return contents.withLock(\.mostNodes)
  }

  private static func note(
    _ kind: Escape.Kind, _ task: UInt64, _ suspended: Task<Void, Never>? = nil
  ) -> Bool {
    contents.withLock { contents in
      if let simulation = contents.simulations[task] {
        contents.note(kind, simulation, suspended)
        return true
      }
      return contents.hasEnded(task)
    }
  }
}

/// Returns the number that the runtime gives to the task of a job; 0 for a job without a task.
///
/// The standard library prints this number in the description of a job. It has no public function
/// that returns the number.
@_silgen_name("swift_task_getJobTaskId")
func taskID(of job: UnownedJob) -> UInt64
