import CausewaySystem

/// Runs all jobs of a simulated world on the calling thread, in an order that a chooser decides.
///
/// Isolation: only the thread that runs the simulation and its step threads may use the scheduler.
/// The step threads use it with its lock.
package final class Scheduler {
  /// The trial that the scheduler runs.
  package weak var owner: (any SchedulerOwner)?
  /// The time since the start of the simulation.
  package private(set) var now = Duration.zero
  /// The node whose job runs on the current thread.
  package private(set) var current: Life {
    get { SchedulerThread.current?.life ?? .world }
    set { SchedulerThread.current?.life = newValue }
  }
  /// The threads that take the steps; `nil` if the thread of the simulation takes them.
  var stepThreads: StepThreads?
  /// The steps so far, to find the first difference between two trials.
  ///
  /// If the scheduler follows tasks, only the last steps are kept.
  package private(set) var taken: [Step] = []
  /// A hash of all steps so far.
  ///
  /// It differs between two trials as soon as a step differs.
  package private(set) var trace: UInt64 = 0xcbf2_9ce4_8422_2325
  package private(set) var steps = 0
  /// The number of tasks so far.
  package var taskCount: Int { tasks.count }
  /// The number of steps with a choice.
  package private(set) var choiceCount = 0
  private var search: any ScheduleSearch
  private let number: Int
  /// The threads that the code of the simulation has begun.
  let threads: SimulatedThreads
  /// The number of these threads that the scheduler has waited for.
  private var awaitedThreads = 0
  private var ready: [Ready] = []
  /// The timers, the latest first, so removing the next timer takes constant time.
  private var timers: [Timer] = []
  private var timerCount = 0
  /// The tasks by the numbers that the runtime gives them, which differ between two trials.
  ///
  /// A task stays on its node, even if code of another node resumes it.
  private var tasks: [UInt64: KnownTask] = [:]
  /// The number of the newest task.
  private var lastTask = 0
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
  /// The closures to call after the current step.
  private var afterStep: [() -> Void] = []
  /// Whether the search chooses among the tasks of one closure, and all running tasks are known.
  let followsTasks: Bool
  /// Whether each hop of a task to or from an actor is a step.
  let hopsAreSteps: Bool
  /// The tasks that have not ended, if the scheduler follows tasks.
  private(set) var unfinished = UnfinishedTasks()
  /// Whether a timer can fire later than it is due, and so after another one.
  var hasLateTimers = false
  /// Whether a step can be the cancellation of a task, once in a trial.
  var mayCancel = false
  /// Returns why a trial fails if all its tasks wait; `nil` if they may wait.
  ///
  /// Without this closure, waiting for ever is a failure.
  var explainWaiting: (() -> String?)?
  /// The functions of the system whose values were not simulated, with the functions that called them.
  package internal(set) var realValues: [String] = []
  /// Called before each step with its turn and, if it is a step of a task, the task.
  var onStep: ((ScheduleTurn, Task<Void, Never>?) -> Void)?

  /// - Parameters:
  ///   - search: Chooses the steps.
  ///   - hopsAreSteps: Whether each hop of a task to or from an actor is a step. Otherwise a task enters
  ///     a free actor, and leaves it, within a step.
  package convenience init(_ search: any ScheduleSearch, hopsAreSteps: Bool) {
    self.init(search, followsTasks: false, hopsAreSteps: hopsAreSteps)
  }

  /// - Parameters:
  ///   - search: Chooses the steps.
  ///   - followsTasks: Whether the scheduler knows its unfinished tasks, and runs the jobs of the
  ///     main actor in their order. An exploration of a single closure needs this.
  ///   - hopsAreSteps: Whether each hop of a task to or from an actor is a step.
  init(_ search: any ScheduleSearch, followsTasks: Bool, hopsAreSteps: Bool = true) {
    self.search = search
    self.followsTasks = followsTasks
    self.hopsAreSteps = hopsAreSteps
    longestSpin = followsTasks ? 10_000 : 1_000_000
    longestIdling = followsTasks ? 50_000 : 2_000_000
    number = SimulatedTasks.begin()
    threads = SimulatedThreads(simulation: number)
  }

  // MARK: - The trial

  /// Sets the name of the trial for the message if one of its tasks ends the program.
  package func announce(_ name: String) {
    SimulatedTasks.announce(number, name)
  }

  /// Ends the simulation; its tasks never run again.
  package func end() {
    SimulatedTasks.end(number, tasks: tasks.keys.sorted())
  }

  /// Returns a number from 0 to a limit, as a choice of the search.
  func chooseNumber(below limit: Int) -> Int { search.chooseNumber(below: limit) }

  // MARK: - Adding work

  /// Whether a job that was enqueued on this thread belongs to the simulation.
  ///
  /// A task that is older than the simulation has waited for something that the simulation did.
  /// Such a task continues outside of the simulation. Its number is smaller, because the runtime's
  /// numbers of tasks increase.
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
    if followsTasks { SimulatedSystem.noteWork(true) }
  }

  /// Runs a job on an executor, as one of the possible steps.
  func enqueue(_ job: UnownedJob, on executor: any SerialExecutor) {
    let ready = makeReady(job, isMain: false)
    add(Ready(life: ready.life, turn: ready.turn, work: .diskJob(job, executor)))
  }

  func enqueue(_ job: UnownedJob, after delay: Duration) {
    lock()
    defer { unlock() }
    add(makeReady(job, isMain: false, isTimer: true), at: now + rounded(delay))
  }

  /// Runs a job at the given time, on an executor for blocking work.
  package func enqueue(_ job: UnownedJob, on executor: any SerialExecutor, at due: Duration) {
    lock()
    defer { unlock() }
    let ready = makeReady(job, isMain: false)
    add(Ready(life: ready.life, turn: ready.turn, work: .diskJob(job, executor)), at: due)
  }

  /// Calls a closure after a delay, unless the node's life has ended by then.
  package func post(_ life: Life, after delay: Duration, _ event: @escaping () -> Void) {
    lock()
    defer { unlock() }
    let turn = ScheduleTurn(node: life.node, task: 0, key: key(of: life, 0))
    add(Ready(life: life, turn: turn, work: .event(event)), at: now + delay)
  }

  /// Calls a closure as code of a node, in the current step.
  package func perform<R>(as life: Life, _ body: () throws -> R) rethrows -> R {
    let previous = current
    current = life
    defer { current = previous }
    return try body()
  }

  private func makeReady(_ job: UnownedJob, isMain: Bool, isTimer: Bool = false) -> Ready {
    let id = taskID(of: job)
    if followsTasks, let turn = currentTurn, id == 0 || isTimer && tasks[id] == nil {
      // The job of an actor or of a sleep belongs to the task that has added it.
      if id != 0 {
        tasks[id] = KnownTask(life: current, number: turn.task, key: turn.key)
        SimulatedTasks.add(id, to: number)
      }
      return Ready(life: current, turn: turn, work: isMain ? .mainJob(job) : .job(job))
    }
    var task = KnownTask(life: current, number: 0, key: key(of: current, 0))
    if id != 0 {
      if let known = tasks[id] {
        task = known
      } else {
        lastTask += 1
        task.number = lastTask
        newest = (now, newest.time == now ? newest.count + 1 : 1)
        task.key = key(of: current, newest.count)
        tasks[id] = task
        SimulatedTasks.add(id, to: number)
        if followsTasks {
          unfinished.add(job, number: task.number, creator: currentTurn?.task ?? 0)
        }
      }
    }
    return Ready(
      life: task.life,
      turn: ScheduleTurn(node: task.life.node, task: task.number, key: task.key),
      work: isMain ? .mainJob(job) : .job(job))
  }

  private func add(_ entry: Ready) {
    guard isAlive(entry.life) else { return }
    ready.append(entry)
    stepThreads?.wake()
  }

  private func add(_ entry: Ready, at due: Duration) {
    guard isAlive(entry.life) else { return }
    timerCount += 1
    let timer = Timer(due: due, number: timerCount, begin: steps, ready: entry)
    var low = 0
    var high = timers.count
    while low < high {
      let middle = (low + high) / 2
      if timers[middle].due > due { low = middle + 1 } else { high = middle }
    }
    timers.insert(timer, at: low)
  }

  // MARK: - Nodes

  package func addNode() -> Life {
    lifeNumbers.append(0)
    return Life(node: lifeNumbers.count - 1, number: 0)
  }

  package func life(of node: Int) -> Life {
    lock()
    defer { unlock() }
    return Life(node: node, number: lifeNumbers[node])
  }

  package func isAlive(_ life: Life) -> Bool {
    guard life.node >= 0 else { return true }
    lock()
    defer { unlock() }
    return lifeNumbers[life.node] == life.number
  }

  /// Ends a life in the middle of a step; the rest of the step adds no work.
  ///
  /// - Parameter completion: Called after the step; it must end the node's life.
  package func interrupt(_ node: Int, _ completion: @escaping () -> Void) {
    lock()
    defer { unlock() }
    lifeNumbers[node] += 1
    afterStep.append(completion)
  }

  /// Calls a closure when no step thread runs a step.
  package func afterTurn(_ completion: @escaping () -> Void) { afterStep.append(completion) }

  /// Drops all present and future jobs of the node's current life.
  ///
  /// Its tasks are never resumed, as after the end of a process.
  package func endLife(of node: Int) {
    lifeNumbers[node] += 1
    // Releasing a closure can run code that enqueues a job, so both lists are changed first.
    let (oldReady, oldTimers) = (ready, timers)
    ready = oldReady.filter { isAlive($0.life) }
    timers = oldTimers.filter { isAlive($0.ready.life) }
    withExtendedLifetime((oldReady, oldTimers)) {}
  }

  /// Drops all jobs and events, at the end of a trial.
  package func drop() {
    for node in lifeNumbers.indices { lifeNumbers[node] += 1 }
    let old = (ready, timers, unfinished)
    (ready, timers, unfinished) = ([], [], UnfinishedTasks())
    withExtendedLifetime(old) {}
  }

  /// Forgets the steps and the tasks, after the results of the trial were read.
  package func dismiss() {
    taken = []
    tasks = [:]
  }

  // MARK: - Running

  /// The number of steps after which an unchanged time means an endless loop.
  private let longestSpin: Int
  /// The number of steps after which short waits mean an endless loop.
  ///
  /// A task that checks something every millisecond takes this number of steps in half an hour.
  private let longestIdling: Int
  /// A timer that runs during more steps than this is not a short wait.
  private static let longWait = 1_000
  /// The largest number of steps of a trial that follows tasks.
  private static let mostSteps = 1_000_000

  /// Whether the tasks only repeat short waits.
  ///
  /// A task may check something again and again while another task waits for a long time.
  private var isIdling: Bool {
    guard stepsWithoutProgress > longestIdling else { return false }
    return !followsTasks || steps > Self.mostSteps
      || !timers.contains { steps - $0.begin > Self.longWait }
  }

  /// Begins a new count of the steps without a message, a write or an action.
  package func markProgress() {
    lock()
    defer { unlock() }
    stepsWithoutProgress = 0
  }

  /// Adds the bytes of a message or of a write to the trace, as part of the current step.
  ///
  /// Two runs of a trial then also differ if only their data differ.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - source: The source of the bytes, for the report of a difference.
  package func note(_ bytes: UnsafeRawBufferPointer, of source: String) {
    lock()
    defer { unlock() }
    markProgress()
    let last = taken.count - 1
    guard last >= 0 else { return }
    taken[last].data = SimulatedSystem.hash(taken[last].data, bytes)
    taken[last].source = source
    mix(taken[last].data)
  }

  /// Runs jobs until a condition is met, or until the time passes a limit.
  ///
  /// - Parameters:
  ///   - limit: The time after which no timer fires.
  ///   - isDone: Called before each step.
  package func run(until limit: Duration, isDone: () throws -> Bool) rethrows -> Ending {
    while try !isDone() {
      if let escape = SimulatedTasks.escape(of: number) { return .escape(escape) }
      if ready.isEmpty {
        guard let next = timers.last else { return .nothingLeft }
        guard next.due <= limit else {
          now = max(now, limit)
          return .limit
        }
        if hasLateTimers { fireAnyTimer() } else { passTime(to: next.due) }
      }
      if stepsInARow > longestSpin { return .spin }
      if isIdling { return .idling }
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
      fire(timer)
    }
  }

  /// Fires any one of the timers.
  private func fireAnyTimer() {
    var number = 0
    if timers.count > 1 {
      number = search.chooseTimer(from: timers.reversed().lazy.map(\.ready.turn), at: now)
      choiceCount += 1
    }
    let timer = timers.remove(at: timers.count - 1 - number)
    if timer.due > now {
      now = timer.due
      stepsInARow = 0
    }
    fire(timer)
  }

  private func fire(_ timer: Timer) {
    if followsTasks, steps - timer.begin > Self.longWait { stepsWithoutProgress = 0 }
    ready.append(timer.ready)
  }

  /// Chooses one of the possible steps of tasks; `nil` after it has cancelled a task.
  private func chooseStep() -> Int? {
    var hasMain = false
    // The main actor runs its jobs in their order.
    let possible = ready.indices.filter { index in
      guard case .mainJob = ready[index].work else { return true }
      defer { hasMain = true }
      return !hasMain
    }
    let targets = mayCancel ? unfinished.cancellable : []
    guard possible.count + targets.count > 1 else { return possible[0] }
    choiceCount += 1
    let turns = possible.map { ready[$0].turn } + targets.map { ScheduleTurn(cancelling: $0) }
    let choice = search.choose(from: turns, at: now)
    if choice < possible.count { return possible[choice] }
    mayCancel = false
    onStep?(turns[choice], nil)
    // A handler of the cancellation can add work.
    let target = unfinished[targets[choice - possible.count]]
    target?.cancel()
    return nil
  }

  private func step() {
    var index = 0
    if followsTasks {
      guard let chosen = chooseStep() else { return }
      index = chosen
      let turn = ready[index].turn
      search.note(turn)
      onStep?(turn, unfinished[turn.task])
    } else if ready.count > 1 {
      index = search.choose(from: ready.lazy.map(\.turn), at: now)
      choiceCount += 1
    }
    if let stepThreads, stepThreads.canRun(ready[index].work) {
      // A turn has few steps: between two turns, time can pass and a node can crash.
      let most = 1 + (SchedulerThread.current?.random(below: Self.longestTurn) ?? 0)
      stepThreads.runTurn(most) { !hasJob }
    } else {
      let next = take(index)
      SchedulerThread.current?.begin(next)
      perform(next.work)
      current = .world
    }
    if followsTasks {
      // Releasing a result can run code of the program, which can add a task.
      let ended = unfinished.takeEnded()
      withExtendedLifetime(ended) {}
    }
    while !afterStep.isEmpty { afterStep.removeFirst()() }
    if threads.count > awaitedThreads { waitForThreads() }
  }

  /// The number of steps that are kept if the scheduler follows tasks.
  private static let mostKept = 1_000
  /// The largest number of steps in a turn of the step threads.
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

  /// The jobs of a node that has crashed in this turn are dropped at the end of the turn.
  private func canRunOnStepThread(_ next: Ready) -> Bool {
    stepThreads?.canRun(next.work) == true && isAlive(next.life)
  }

  /// Removes the work of the next step, and notes the step.
  private func take(_ index: Int) -> Ready {
    let next = ready.remove(at: index)
    if followsTasks { SimulatedSystem.noteWork(false) }
    taken.append(Step(turn: next.turn, time: now))
    steps += 1
    if followsTasks, taken.count >= Self.mostKept * 2 {
      taken.removeFirst(taken.count - Self.mostKept)
    }
    stepsInARow += 1
    stepsWithoutProgress += 1
    watch?.note(steps)
    mix(UInt64(truncatingIfNeeded: next.life.node))
    mix(UInt64(next.turn.task))
    mix(UInt64(truncatingIfNeeded: now.nanoseconds))
    return next
  }

  /// Waits for a moment until the threads that the step has begun have ended.
  ///
  /// Most of these threads end soon. If they use tasks of the simulation, the scheduler then
  /// notices it in this step, in each run of the trial.
  private func waitForThreads() {
    awaitedThreads = threads.count
    for _ in 0..<200 where threads.areRunning { usleep(1_000) }
  }

  /// Adds a number to the trace (FNV-1a by words).
  private func mix(_ value: UInt64) {
    trace = (trace ^ value) &* 0x0000_0100_0000_01b3
  }

  /// A step that is possible now; in an endless loop, it is a step of the loop.
  package var spinning: ScheduleTurn? { ready.first?.turn }
}
