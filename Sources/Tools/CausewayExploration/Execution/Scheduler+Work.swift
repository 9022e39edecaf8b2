/// The jobs and steps of a trial.
extension Scheduler {
  /// The run of a node between two crashes; each job belongs to one life.
  package struct Life: Hashable {
    /// The index of the node; -1 for the world itself.
    package var node: Int
    package var number: Int

    package static let world = Life(node: -1, number: 0)
  }

  /// A job that can run now.
  struct Ready {
    let life: Life
    /// The node and the number of the task.
    let turn: ScheduleTurn
    let work: Work
  }

  /// A step, in a form that can be compared with a step of another trial.
  package struct Step: Hashable {
    package let turn: ScheduleTurn
    package let time: Duration
    /// A hash of the messages and of the writes to disks; 0 without any.
    package var data: UInt64 = 0
    /// The source of the last message or write, such as the path of a file.
    package var source = ""
  }

  enum Work {
    case job(UnownedJob)
    case mainJob(UnownedJob)
    case diskJob(UnownedJob, any SerialExecutor)
    case event(() -> Void)
  }

  struct KnownTask {
    let life: Life
    /// The place of the task in the order of the tasks' first jobs, from 1.
    var number: Int
    var key: UInt64
  }

  struct Timer {
    let due: Duration
    let number: Int
    /// The number of earlier steps.
    let begin: Int
    let ready: Ready
  }

  /// Why a run has ended.
  package enum Ending {
    case condition
    /// The next timer is later than the limit.
    case limit
    /// There is no job and no timer.
    case nothingLeft
    case spin
    case idling
    case escape(SimulatedTasks.Escape)
  }

  /// The time of the last step of a turn.
  ///
  /// Complexity: O(*n*) in the number of steps.
  package func lastTime(of turn: ScheduleTurn) -> Duration? {
    taken.last { $0.turn == turn }?.time
  }

  /// The turn that has taken the most of the last thousand steps.
  package var busiest: ScheduleTurn? {
    Dictionary(taken.suffix(1_000).map { ($0.turn, 1) }, uniquingKeysWith: +)
      .max { ($0.value, $0.key.node, $0.key.task) < ($1.value, $1.key.node, $1.key.task) }?.key
  }

  /// Whether the node of the current step still runs.
  ///
  /// If it has crashed during the step, the rest of the step must have no effect outside the node.
  package var isCurrentAlive: Bool { isAlive(current) }

  /// Adds a text of a message to the trace.
  package func note(_ text: String, of source: String) {
    var text = text
    text.withUTF8 { note(UnsafeRawBufferPointer($0), of: source) }
  }

  /// The turn of the current or the last step of this thread.
  package var currentTurn: ScheduleTurn? { SchedulerThread.current?.turn }

  /// Whether step threads may run steps now.
  package var isInTurn: Bool { stepThreads?.isInTurn ?? false }

  /// The key of the turns of a task that begins now; with the number 0, the key of turns without a
  /// task.
  func key(of life: Life, _ number: UInt64) -> UInt64 {
    let time = number == 0 ? 0 : UInt64(truncatingIfNeeded: now.nanoseconds)
    return (time &* 0x9e37_79b9_7f4a_7c15) ^ (number << 32)
      ^ UInt64(truncatingIfNeeded: life.node &+ 1)
  }

  /// Returns the delay that the caller of a sleep has asked for.
  ///
  /// A sleep on a system clock has a deadline, which the caller has computed from the time. If this
  /// time is not simulated, it is a little before the time of the call, and the delay is too short.
  /// So the delay is rounded up to whole milliseconds, as most delays are.
  func rounded(_ delay: Duration) -> Duration {
    let delay = max(.zero, delay)
    if SimulatedSystem.isComplete { return delay }
    return .milliseconds((delay.microseconds + 999) / 1_000)
  }

  /// Notes that code has used a value of the system that is not simulated.
  func noteRealValue(of function: String, _ caller: UnsafeRawPointer) {
    let text = function + "()" + (WaitingPlace.function(at: caller).map { " in \($0)" } ?? "")
    lock()
    defer { unlock() }
    // A few functions are enough to explain a difference.
    if realValues.count < 10, !realValues.contains(text) { realValues.append(text) }
  }

  /// Runs the work of a step.
  func perform(_ work: Work) {
    switch work {
    case .event(let event): event()
    case .job(let job): Self.run(job)
    case .diskJob(let job, let executor):
      job.runSynchronously(on: executor.asUnownedSerialExecutor())
    case .mainJob(let job): job.runSynchronously(on: MainActor.sharedUnownedExecutor)
    }
  }

  private static func run(_ job: UnownedJob) {
    #if compiler(>=6.3)
      if #available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *) {
        job.runSynchronously(on: SimulationTaskExecutor.shared.asUnownedTaskExecutor())
      }
    #endif
  }
}
