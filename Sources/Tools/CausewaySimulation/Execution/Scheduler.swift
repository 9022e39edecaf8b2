import CausewaySystem

/// The trial of a scheduler, as the code that its jobs call sees it.
protocol SchedulerOwner: AnyObject {
  /// The time of the system's clocks for the current code, in nanoseconds.
  ///
  /// - Parameter isWall: Whether it is the time since 1970, with the error of the node's clock.
  func systemTime(isWall: Bool) -> Int64

  /// Fills memory with the random numbers that the current code takes from the system.
  func randomize(_ bytes: UnsafeMutableBufferPointer<UInt8>)
}

/// Runs all jobs of a simulated world on the calling thread, in an order that a chooser decides.
///
/// Isolation: only the thread that runs the simulation may use it, and its step threads if it has
/// some. These use it with its lock.
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
    /// A hash of the messages and of the writes to disks; 0 without any.
    var data: UInt64 = 0
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
    var key: UInt64
  }

  private struct Timer {
    let due: Duration
    let number: Int
    let ready: Ready
  }

  /// The trial that the scheduler runs.
  weak var owner: (any SchedulerOwner)?
  /// The time since the start of the simulation.
  private(set) var now = Duration.zero
  /// The node whose job runs on the current thread.
  private(set) var current: Life {
    get { SchedulerThread.current?.life ?? .world }
    set { SchedulerThread.current?.life = newValue }
  }
  /// The threads that take the steps; `nil` if the thread of the simulation takes them.
  var stepThreads: StepThreads?
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
  private let number: Int
  /// The threads that the code of the simulation has begun.
  let threads: SimulatedThreads
  /// The number of these threads that the scheduler has waited for.
  private var awaitedThreads = 0
  private var ready: [Ready] = []
  /// The timers, the latest first: removing the next one takes constant time.
  private var timers: [Timer] = []
  private var timerCount = 0
  /// The tasks by the numbers that the runtime gives them, which differ between two trials.
  ///
  /// A task stays on its node, even if code of another node resumes it.
  private var tasks: [UInt64: KnownTask] = [:]
  /// The moment of the last new task, and the number of new tasks at that moment.
  private var newest = (time: Duration.zero, count: UInt64(0))
  /// The number that the runtime gives to the first task; 0 before it.
  private var firstTask: UInt64 = 0
  /// The number of the current life of each node.
  private var lifeNumbers: [Int] = []
  /// The steps since the time changed.
  private var stepsInARow = 0
  var watch: StepWatch?
  /// The steps since the last message, write or action.
  private var stepsWithoutProgress = 0
  /// What to do after the current step.
  private var afterStep: [() -> Void] = []

  init(_ search: any ScheduleSearch) {
    self.search = search
    number = SimulatedTasks.begin()
    threads = SimulatedThreads(simulation: number)
  }

  // MARK: - The trial

  /// Names the trial in the message of a program that ends because of one of its tasks.
  func announce(_ name: String) {
    SimulatedTasks.announce(number, name)
  }

  /// Ends the simulation; its tasks never run again.
  func end() {
    SimulatedTasks.end(number, tasks: tasks.keys.sorted())
  }

  // MARK: - Adding work

  /// Whether a job that was enqueued on this thread belongs to the simulation.
  ///
  /// A task that is older than the simulation waited for something that the simulation has done. It
  /// goes on outside. The runtime's numbers of tasks increase.
  func owns(_ job: UnownedJob) -> Bool {
    lock()
    defer { unlock() }
    let id = taskID(of: job)
    if id == 0 || tasks[id] != nil { return true }
    if SimulatedTasks.isOfOther(id, than: number) { return false }
    if firstTask == 0 { firstTask = id }
    return id >= firstTask
  }

  func enqueue(_ job: UnownedJob, isMain: Bool) {
    lock()
    defer { unlock() }
    add(makeReady(job, isMain: isMain))
  }

  func enqueue(_ job: UnownedJob, after delay: Duration) {
    lock()
    defer { unlock() }
    add(makeReady(job, isMain: false), at: now + rounded(delay))
  }

  /// Runs a job at the given time, on an executor for blocking work.
  func enqueue(_ job: UnownedJob, on executor: any SerialExecutor, at due: Duration) {
    lock()
    defer { unlock() }
    let ready = makeReady(job, isMain: false)
    add(Ready(life: ready.life, turn: ready.turn, work: .diskJob(job, executor)), at: due)
  }

  /// Calls a closure after a delay, unless the node's life has ended by then.
  func post(_ life: Life, after delay: Duration, _ event: @escaping () -> Void) {
    lock()
    defer { unlock() }
    let turn = ScheduleTurn(node: life.node, task: 0, key: key(of: life, 0))
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
    var task = KnownTask(life: current, number: 0, key: key(of: current, 0))
    if id != 0 {
      if let known = tasks[id] {
        task = known
      } else {
        task.number = tasks.count + 1
        newest = (now, newest.time == now ? newest.count + 1 : 1)
        task.key = key(of: current, newest.count)
        tasks[id] = task
        SimulatedTasks.add(id, to: number)
      }
    }
    return Ready(
      life: task.life,
      turn: ScheduleTurn(node: task.life.node, task: task.number, key: task.key),
      work: isMain ? .mainJob(job) : .job(job))
  }

  /// The key of the turns of a task that begins now; for 0, of the turns without a task.
  private func key(of life: Life, _ number: UInt64) -> UInt64 {
    let time = number == 0 ? 0 : UInt64(truncatingIfNeeded: now.nanoseconds)
    return (time &* 0x9e37_79b9_7f4a_7c15) ^ (number << 32)
      ^ UInt64(truncatingIfNeeded: life.node &+ 1)
  }

  private func add(_ entry: Ready) {
    guard isAlive(entry.life) else { return }
    ready.append(entry)
    stepThreads?.wake()
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

  /// Returns the delay that the caller of a sleep has asked for.
  ///
  /// A sleep on a system clock has a deadline, which the caller has computed from the time. If this
  /// time is not simulated, it is a little before the time of the call, and the delay is too short.
  /// Most delays are whole milliseconds.
  private func rounded(_ delay: Duration) -> Duration {
    let delay = max(.zero, delay)
    if SimulatedSystem.isComplete { return delay }
    return .milliseconds((delay.microseconds + 999) / 1_000)
  }

  // MARK: - Nodes

  func addNode() -> Life {
    lifeNumbers.append(0)
    return Life(node: lifeNumbers.count - 1, number: 0)
  }

  func life(of node: Int) -> Life {
    lock()
    defer { unlock() }
    return Life(node: node, number: lifeNumbers[node])
  }

  func isAlive(_ life: Life) -> Bool {
    guard life.node >= 0 else { return true }
    lock()
    defer { unlock() }
    return lifeNumbers[life.node] == life.number
  }

  /// Whether the node of the current step has not crashed during this step.
  ///
  /// If it has, the rest of the step must have no effect outside of the node.
  var isCurrentAlive: Bool { isAlive(current) }

  /// Ends a life in the middle of a step, so that the rest of the step adds no work.
  ///
  /// - Parameter completion: Called after the step; it must end the node's life.
  func interrupt(_ node: Int, _ completion: @escaping () -> Void) {
    lock()
    defer { unlock() }
    lifeNumbers[node] += 1
    afterStep.append(completion)
  }

  /// Whether step threads may run steps now.
  var isInTurn: Bool { stepThreads?.isInTurn ?? false }

  /// Calls a closure when no step thread runs a step.
  func afterTurn(_ completion: @escaping () -> Void) { afterStep.append(completion) }

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

  /// Drops all jobs and events, at the end of a trial.
  func drop() {
    for node in lifeNumbers.indices { lifeNumbers[node] += 1 }
    let old = (ready, timers)
    (ready, timers) = ([], [])
    withExtendedLifetime(old) {}
  }

  /// Forgets the steps and the tasks, after the results of the trial were read.
  func dismiss() {
    taken = []
    tasks = [:]
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
    case idling
    case escape(SimulatedTasks.Escape)
  }

  /// The number of steps after which an unchanged time means an endless loop.
  private static let longestSpin = 1_000_000
  /// The number of steps after which short waits mean an endless loop.
  ///
  /// A task that looks at something each millisecond takes as many steps in half an hour.
  private static let longestIdling = 2_000_000

  /// Begins a new count of the steps without a message, a write or an action.
  func markProgress() {
    lock()
    defer { unlock() }
    stepsWithoutProgress = 0
  }

  /// Adds the bytes of a message or of a write to the trace, as part of the current step.
  ///
  /// A repetition then also differs if only its data differ.
  func note(_ bytes: UnsafeRawBufferPointer) {
    lock()
    defer { unlock() }
    markProgress()
    let last = taken.count - 1
    guard last >= 0 else { return }
    taken[last].data = SimulatedSystem.hash(taken[last].data, bytes)
    mix(taken[last].data)
  }

  /// Adds a text of a message to the trace.
  func note(_ text: String) {
    var text = text
    text.withUTF8 { note(UnsafeRawBufferPointer($0)) }
  }

  /// The turn of the current or the last step of this thread.
  var currentTurn: ScheduleTurn? { SchedulerThread.current?.turn }

  /// The time of the last step of a turn.
  ///
  /// Complexity: O(*n*) in the number of steps.
  func lastTime(of turn: ScheduleTurn) -> Duration? {
    taken.last { $0.turn == turn }?.time
  }

  /// The turn with the most of the last thousand steps.
  var busiest: ScheduleTurn? {
    Dictionary(taken.suffix(1_000).map { ($0.turn, 1) }, uniquingKeysWith: +)
      .max { ($0.value, $0.key.node, $0.key.task) < ($1.value, $1.key.node, $1.key.task) }?.key
  }

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
      if stepsWithoutProgress > Self.longestIdling { return .idling }
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
      index = search.choose(from: ready.lazy.map(\.turn), at: now)
      choiceCount += 1
    }
    if let stepThreads, stepThreads.canRun(ready[index].work) {
      // Short turns let time pass and nodes crash between the steps of one moment.
      let most = 1 + (SchedulerThread.current?.random(below: Self.longestTurn) ?? 0)
      stepThreads.runTurn(most) { !hasJob }
    } else {
      let next = take(index)
      SchedulerThread.current?.begin(next)
      perform(next.work)
      current = .world
    }
    while !afterStep.isEmpty { afterStep.removeFirst()() }
    if threads.count > awaitedThreads { waitForThreads() }
  }

  /// The most steps of the step threads between two looks at the time.
  private static let longestTurn = 200

  /// Whether there is a job that a step thread can run now.
  var hasJob: Bool { ready.contains(where: canRunOnStepThread) }

  /// Takes a job that a step thread can run now.
  func takeJob() -> Ready? {
    guard !ready.isEmpty else { return nil }
    let first = SchedulerThread.current?.random(below: ready.count) ?? 0
    let index =
      ready.indices[first...].first { canRunOnStepThread(ready[$0]) }
      ?? ready.indices[..<first].first { canRunOnStepThread(ready[$0]) }
    return index.map(take)
  }

  /// The jobs of a node that has crashed in this turn are dropped at its end.
  private func canRunOnStepThread(_ next: Ready) -> Bool {
    stepThreads?.canRun(next.work) == true && isAlive(next.life)
  }

  /// Removes the work of the next step, and notes the step.
  private func take(_ index: Int) -> Ready {
    let next = ready.remove(at: index)
    taken.append(Step(turn: next.turn, time: now))
    stepsInARow += 1
    stepsWithoutProgress += 1
    watch?.note(taken.count)
    mix(UInt64(truncatingIfNeeded: next.life.node))
    mix(UInt64(next.turn.task))
    mix(UInt64(truncatingIfNeeded: now.nanoseconds))
    return next
  }

  func perform(_ work: Work) {
    switch work {
    case .event(let event): event()
    case .job(let job): Self.run(job)
    case .diskJob(let job, let executor):
      job.runSynchronously(on: executor.asUnownedSerialExecutor())
    case .mainJob(let job): job.runSynchronously(on: MainActor.sharedUnownedExecutor)
    }
  }

  /// Waits for a moment until the threads have ended that the step has begun.
  ///
  /// Most of them end soon. What they do with the tasks of the simulation is then noticed in this
  /// step, in each run of the trial.
  private func waitForThreads() {
    awaitedThreads = threads.count
    for _ in 0..<200 where threads.areRunning { usleep(1_000) }
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
