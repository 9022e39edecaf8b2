import CSimulatedSystem
import Synchronization

/// The functions of the system, as code on the thread of a simulation calls them.
///
/// On this thread, `Date()`, `ContinuousClock.now` and the random numbers of the standard library
/// depend on the seed. This needs Linux and a program without a sanitizer. Elsewhere the values are
/// real, and a repetition of a trial notices the difference.
package enum SimulatedSystem {
  /// Whether the values of the system are simulated.
  static let isComplete = causeway_can_simulate() != 0

  /// The date at which each trial begins, in seconds since 1970.
  package static let startOfTime = 1_750_000_000.0
  /// The time of the monotonic clocks at which each trial begins, in nanoseconds.
  ///
  /// It is years ahead of the real clocks. If code gives a deadline to a real timer or queue, the
  /// deadline is then never reached. An earlier start would make the deadline pass at once.
  package static let startOfUptime: Int64 = 300_000_000_000_000_000

  /// Replaces the functions on the current thread, which has a scheduler.
  ///
  /// - Parameters:
  ///   - hopsAreSteps: Whether each hop of a task to or from an actor is a step.
  ///   - waitsBeforeHops: Whether a task that has given work to other tasks can wait before such a
  ///     hop.
  static func begin(hopsAreSteps: Bool, waitsBeforeHops: Bool) {
    replaceRuntime(hopsAreSteps: hopsAreSteps, waitsBeforeHops: waitsBeforeHops)
    causeway_simulate(
      { isWall in Scheduler.ofThread?.owner?.systemTime(isWall: isWall != 0) ?? 0 },
      { bytes, count in
        guard let bytes, let owner = Scheduler.ofThread?.owner else { return }
        owner.randomize(UnsafeMutableBufferPointer(start: bytes, count: count))
      },
      { function, caller in
        guard let function, let caller else { return }
        Scheduler.ofThread?.noteRealValue(of: String(cString: function), caller)
      },
      {
        guard let threads = Scheduler.ofThread?.threads else { return nil }
        threads.begin()
        return Unmanaged.passRetained(threads).toOpaque()
      },
      { value in
        guard let value else { return }
        Unmanaged<SimulatedThreads>.fromOpaque(value).takeRetainedValue().end()
      })
  }

  static func end() {
    causeway_simulate_nothing()
    causeway_wait_before_hops(0, 0)
  }

  /// Notes whether the current step has given work to other tasks.
  static func noteWork(_ hasWorked: Bool) { causeway_note_work(hasWorked ? 1 : 0) }

  /// The name of the task that the current thread makes now; `nil` without a name.
  static var nameOfNewTask: String? { causeway_new_task_name().map { String(cString: $0) } }

  /// Replaces functions of Swift's runtime on the current thread.
  ///
  /// Without a preferred executor, a task enters a free actor, and leaves it, within a step. All
  /// tasks that the thread makes therefore get the executor of the simulation.
  ///
  /// An actor runs its jobs in the order of their arrival. Without the wait, a task that makes
  /// another task and then calls an actor would always arrive first, because it cannot be stopped
  /// in between.
  private static func replaceRuntime(hopsAreSteps: Bool, waitsBeforeHops: Bool) {
    #if compiler(>=6.3)
      guard SwiftRuntime.isKnown,
        #available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
      else { return }
      if hopsAreSteps {
        let executor = SimulationTaskExecutor.shared.asUnownedTaskExecutor()
        let words = unsafeBitCast(executor, to: (UInt, UInt).self)
        causeway_prefer_executor(words.0, words.1)
      }
      if waitsBeforeHops {
        let executor = HopExecutor.shared.asUnownedSerialExecutor()
        let words = unsafeBitCast(executor, to: (UInt, UInt).self)
        causeway_wait_before_hops(words.0, words.1)
      }
    #endif
  }

  /// The threads of the simulation that has begun the current thread; `nil` for another thread.
  static var threadsOfCurrent: SimulatedThreads? {
    causeway_thread_value().map {
      Unmanaged<SimulatedThreads>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Prints a text before a trap of the current thread ends the process.
  static func nameTraps(_ text: String?) {
    _ = catchesTraps
    causeway_name_traps(text)
  }

  private static let catchesTraps: Void = causeway_catch_traps()

  /// Returns a hash of bytes that continues another hash.
  static func hash(_ hash: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    causeway_hash(hash, bytes.baseAddress, bytes.count)
  }
}

/// The threads that the code of a simulation has begun.
final class SimulatedThreads: Sendable {
  /// The number of the simulation.
  let simulation: Int
  private let begun = Atomic(0)
  private let running = Atomic(0)

  init(simulation: Int) {
    self.simulation = simulation
  }

  var count: Int { begun.load(ordering: .relaxed) }
  var areRunning: Bool { running.load(ordering: .acquiring) > 0 }

  func begin() {
    running.add(1, ordering: .relaxed)
    begun.add(1, ordering: .relaxed)
  }

  func end() {
    running.subtract(1, ordering: .releasing)
  }
}
