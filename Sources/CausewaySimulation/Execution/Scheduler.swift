import CausewaySystem

/// Runs all jobs of a simulated world on the calling thread, in an order that a chooser decides.
///
/// Isolation: only the thread that runs the simulation may use it.
final class Scheduler {
  /// The run of a node between two crashes; each job belongs to one life.
  struct Life: Hashable {
    /// The index of the node; -1 for the world itself.
    var node: Int
    var number: Int

    static let world = Life(node: -1, number: 0)
  }

  /// A job that can run now.
  struct Ready {
    let life: Life
    /// The node and the number of the task.
    let turn: ScheduleTurn
    let work: Work
  }

  /// A step, in a form that can be compared with a step of another trial.
  struct Step: Hashable {
    let turn: ScheduleTurn
    let time: Duration
  }

  enum Work {
    case job(UnownedJob)
    case mainJob(UnownedJob)
    case diskJob(UnownedJob, any SerialExecutor)
    case event(() -> Void)
  }

  private struct KnownTask {
    let life: Life
    /// The place in the order of the first jobs, from 1.
    var number: Int
  }

  private struct Timer {
    let due: Duration
    let number: Int
    let ready: Ready
  }

  /// The trial that the scheduler runs.
  weak var trial: Trial?
  /// The time since the start of the simulation.
  private(set) var now = Duration.zero
  /// The node whose job runs.
  private(set) var current = Life.world
  /// The steps so far, to find the first difference between two trials.
  private(set) var taken: [Step] = []
  /// A hash of all steps so far.
  ///
  /// It differs between two trials as soon as a step differs.
  private(set) var trace: UInt64 = 0xcbf2_9ce4_8422_2325
  var steps: Int { taken.count }
  /// The number of tasks so far.
  var taskCount: Int { tasks.count }
  /// The number of steps with a choice.
  private(set) var choiceCount = 0
  private var search: any ScheduleSearch
  private let number = SimulatedTasks.begin()
  private var ready: [Ready] = []
  /// The timers, the latest first: removing the next one takes constant time.
  private var timers: [Timer] = []
  private var timerCount = 0
  /// The tasks by the numbers that the runtime gives them, which differ between two trials.
  ///
  /// A task stays on its node, even if code of another node resumes it.
  private var tasks: [UInt64: KnownTask] = [:]
  /// The number of the current life of each node.
  private var lifeNumbers: [Int] = []
  /// The steps since the time changed.
  private var stepsInARow = 0
  /// The real time at which the current step began.
  private var stepBegan = ContinuousClock.now

  init(_ search: any ScheduleSearch) {
    self.search = search
  }

  // MARK: - The thread

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The scheduler that runs on the current thread; `nil` outside a simulation.
  static var ofThread: Scheduler? {
    pthread_getspecific(key).map { Unmanaged<Scheduler>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs a closure; the jobs that it enqueues belong to this scheduler.
  func withThread<R>(_ body: () throws -> R) rethrows -> R {
    precondition(
      Self.ofThread == nil, "A simulation cannot run inside another simulation on the same thread")
    pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    defer { pthread_setspecific(Self.key, nil) }
    return try body()
  }

  /// Removes the tasks of this simulation from the shared list.
  func end() {
    SimulatedTasks.end(number, tasks: tasks.keys)
  }

  // MARK: - Adding work

  func enqueue(_ job: UnownedJob, isMain: Bool) {
    add(makeReady(job, isMain: isMain))
  }

  func enqueue(_ job: UnownedJob, after delay: Duration) {
    add(makeReady(job, isMain: false), at: now + rounded(delay))
  }

  /// Runs a job at the given time, on an executor for blocking work.
  func enqueue(_ job: UnownedJob, on executor: any SerialExecutor, at due: Duration) {
    let ready = makeReady(job, isMain: false)
    add(Ready(life: ready.life, turn: ready.turn, work: .diskJob(job, executor)), at: due)
  }

  /// Calls a closure after a delay, unless the node's life has ended by then.
  func post(_ life: Life, after delay: Duration, _ event: @escaping () -> Void) {
    let turn = ScheduleTurn(node: life.node, task: 0)
    add(Ready(life: life, turn: turn, work: .event(event)), at: now + delay)
  }

  /// Calls a closure as code of a node, in the current step.
  func perform<R>(as life: Life, _ body: () throws -> R) rethrows -> R {
    let previous = current
    current = life
    defer { current = previous }
    return try body()
  }

  private func makeReady(_ job: UnownedJob, isMain: Bool) -> Ready {
    let id = taskID(of: job)
    var task = KnownTask(life: current, number: 0)
    if id != 0 {
      if let known = tasks[id] {
        task = known
      } else {
        task.number = tasks.count + 1
        tasks[id] = task
        SimulatedTasks.add(id, to: number)
      }
    }
    return Ready(
      life: task.life, turn: ScheduleTurn(node: task.life.node, task: task.number),
      work: isMain ? .mainJob(job) : .job(job))
  }

  private func add(_ entry: Ready) {
    if isAlive(entry.life) { ready.append(entry) }
  }

  private func add(_ entry: Ready, at due: Duration) {
    guard isAlive(entry.life) else { return }
    timerCount += 1
    let timer = Timer(due: due, number: timerCount, ready: entry)
    var low = 0
    var high = timers.count
    while low < high {
      let middle = (low + high) / 2
      if timers[middle].due > due { low = middle + 1 } else { high = middle }
    }
    timers.insert(timer, at: low)
  }

  /// Returns the delay that the caller of a sleep has most likely asked for.
  ///
  /// A sleep on a system clock has a deadline, which the caller computed a short time before. This
  /// time is at most the real time since the step began, and depends on the load of the machine. So
  /// the function returns the roundest delay that is possible.
  private func rounded(_ delay: Duration) -> Duration {
    let shortest = max(0, delay.microseconds)
    let longest = delay.microseconds + (ContinuousClock.now - stepBegan).microseconds + 1
    for unit: Int64 in [1_000_000, 100_000, 10_000] {
      let candidate = (shortest + unit - 1) / unit * unit
      if candidate <= longest { return .microseconds(candidate) }
    }
    return .milliseconds((shortest + 999) / 1_000)
  }

  // MARK: - Nodes

  func addNode() -> Life {
    lifeNumbers.append(0)
    return Life(node: lifeNumbers.count - 1, number: 0)
  }

  func life(of node: Int) -> Life { Life(node: node, number: lifeNumbers[node]) }

  func isAlive(_ life: Life) -> Bool {
    life.node < 0 || lifeNumbers[life.node] == life.number
  }

  /// Drops all present and future jobs of the node's current life.
  ///
  /// Its tasks are never resumed, as after the end of a process.
  func endLife(of node: Int) {
    lifeNumbers[node] += 1
    // Releasing a closure can run code that enqueues a job, so both lists are changed first.
    let (oldReady, oldTimers) = (ready, timers)
    ready = oldReady.filter { isAlive($0.life) }
    timers = oldTimers.filter { isAlive($0.ready.life) }
    withExtendedLifetime((oldReady, oldTimers)) {}
  }

  // MARK: - Running

  /// Why a run has ended.
  enum Ending {
    case condition
    /// The next timer is later than the limit.
    case limit
    /// There is no job and no timer.
    case nothingLeft
    case spin
    case escape(SimulatedTasks.Escape)
  }

  /// The number of steps after which an unchanged time means an endless loop.
  private static let longestSpin = 1_000_000

  /// Runs jobs until a condition is met, or until the time passes a limit.
  ///
  /// - Parameters:
  ///   - limit: The time after which no timer fires.
  ///   - isDone: Called before each step.
  func run(until limit: Duration, isDone: () throws -> Bool) rethrows -> Ending {
    while try !isDone() {
      if let escape = SimulatedTasks.escape(of: number) { return .escape(escape) }
      if ready.isEmpty {
        guard let next = timers.last else { return .nothingLeft }
        guard next.due <= limit else {
          now = max(now, limit)
          return .limit
        }
        passTime(to: next.due)
      }
      if stepsInARow > Self.longestSpin { return .spin }
      step()
    }
    return .condition
  }

  private func passTime(to due: Duration) {
    if due > now {
      now = due
      stepsInARow = 0
    }
    while let timer = timers.last, timer.due <= now {
      timers.removeLast()
      ready.append(timer.ready)
    }
  }

  private func step() {
    var index = 0
    if ready.count > 1 {
      index = search.choose(from: ready.lazy.map(\.turn))
      choiceCount += 1
    }
    let next = ready.remove(at: index)
    taken.append(Step(turn: next.turn, time: now))
    stepBegan = .now
    stepsInARow += 1
    mix(UInt64(truncatingIfNeeded: next.life.node))
    mix(UInt64(next.turn.task))
    mix(UInt64(truncatingIfNeeded: now.components.attoseconds))
    current = next.life
    defer { current = .world }
    switch next.work {
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

  /// Adds a number to the trace (FNV-1a by words).
  private func mix(_ value: UInt64) {
    trace = (trace ^ value) &* 0x0000_0100_0000_01b3
  }

  /// A step that is possible now; in an endless loop, it is a step of the loop.
  var spinning: ScheduleTurn? { ready.first?.turn }
}
