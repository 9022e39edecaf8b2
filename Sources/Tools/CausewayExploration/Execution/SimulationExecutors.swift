#if compiler(>=6.3)
  @_spi(ExperimentalScheduling) @_spi(ExperimentalCustomExecutors) import _Concurrency
  import CausewaySystem
  import Dispatch
  import Synchronization

  /// Replaces the executors of the process by executors that pass jobs to simulations.
  ///
  /// A job that is enqueued on the thread of a simulation belongs to the simulation. All other jobs
  /// go to the platform's executor as before.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  struct SimulationExecutors: ExecutorFactory {
    static var mainExecutor: any MainExecutor { SimulationMainExecutor.shared }
    static var defaultExecutor: any TaskExecutor { SimulationTaskExecutor.shared }

    /// The first use of this constant replaces the executors, and fixes the order of tables.
    static let installed: Void = {
      _createExecutors(factory: SimulationExecutors.self)
      _ = HashOrder.isFixed
    }()
  }

  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  extension Scheduler {
    /// Replaces the executors of the process, once.
    package static func install() {
      _ = SimulationExecutors.installed
      _ = TaskMemory.isKnown
    }
  }

  /// Receives all jobs except those of the main actor.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  final class SimulationTaskExecutor: TaskExecutor, SchedulingExecutor {
    static let shared = SimulationTaskExecutor()
    private let platform: any TaskExecutor = PlatformExecutorFactory.defaultExecutor

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      if let scheduler = Scheduler.ofThread, scheduler.owns(job) {
        scheduler.enqueue(job, isMain: false)
      } else if !SimulatedTasks.takeEscaped(job) {
        platform.enqueue(ExecutorJob(job))
      }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      if let scheduler = Scheduler.ofThread,
        let delay = clock.now.duration(to: instant) as? Duration
      {
        scheduler.enqueue(UnownedJob(job), after: delay)
      } else if let platform = platform as? any SchedulingExecutor {
        platform.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
      } else {
        preconditionFailure("The platform's executor cannot wait for a clock")
      }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      if let scheduler = Scheduler.ofThread, let delay = delay as? Duration {
        scheduler.enqueue(UnownedJob(job), after: delay)
      } else if let platform = platform as? any SchedulingExecutor {
        platform.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
      } else {
        preconditionFailure("The platform's executor cannot wait for a clock")
      }
    }
  }

  /// Makes a task wait before it hops to an actor.
  ///
  /// A child that the task has just started can then run first.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  final class HopExecutor: SerialExecutor {
    static let shared = HopExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      guard let scheduler = Scheduler.ofThread else {
        preconditionFailure("Only the thread of an exploration lets tasks wait before a hop")
      }
      scheduler.enqueue(job, on: self)
    }
  }

  /// Receives the jobs of the main actor.
  @available(macOS 26.4, iOS 26.4, watchOS 26.4, tvOS 26.4, visionOS 26.4, *)
  final class SimulationMainExecutor: MainExecutor {
    static let shared = SimulationMainExecutor()

    var isMainExecutor: Bool { true }

    func run() throws { dispatchMain() }

    func stop() {}

    /// Stops the program unless the caller runs on the main thread.
    ///
    /// The runtime calls this function only for code outside the jobs of this executor.
    func checkIsolated() {
      // Outside simulations, the executor of the main actor is the main queue.
      dispatchPrecondition(condition: .onQueue(.main))
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      if let scheduler = Scheduler.ofThread, scheduler.owns(job) {
        scheduler.enqueue(job, isMain: true)
      } else if !SimulatedTasks.takeEscaped(job) {
        // The platform's main executor is private. Its jobs run on the main queue as well.
        DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      }
    }
  }
#endif
