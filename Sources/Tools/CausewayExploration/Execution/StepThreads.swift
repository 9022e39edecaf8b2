import CausewaySystem

/// The threads that take the steps of a trial at the same time.
///
/// A turn begins when the scheduler opens it, and ends when all threads are idle. Between two turns,
/// only the scheduler's thread runs: time passes, nodes crash and messages arrive there.
///
/// Isolation: its lock protects it, and everything else of the trial. The lock is the innermost one:
/// no code of the program runs while a thread holds it.
final class StepThreads {
  /// The lock, which a thread can take again.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// Wakes a step thread, which looks for a job.
  private let jobAdded = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Wakes the scheduler's thread, which checks whether the turn or the trial has ended.
  private let becameIdle = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// The number of steps that the current turn can still begin.
  private var budget = 0
  private var runningCount = 0
  /// Whether steps of a turn may run.
  private(set) var isInTurn = false
  private var hasEnded = false
  private var livingCount = 0
  /// The serial executors whose jobs run now.
  private var busy: Set<ObjectIdentifier> = []
  private var isMainBusy = false

  init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    pthread_cond_init(jobAdded, nil)
    pthread_cond_init(becameIdle, nil)
  }

  deinit {
    pthread_cond_destroy(jobAdded)
    pthread_cond_destroy(becameIdle)
    pthread_mutex_destroy(mutex)
    jobAdded.deallocate()
    becameIdle.deallocate()
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }

  /// Tells an idle thread that there is a new job.
  ///
  /// Between two turns, no thread may take a job.
  func wake() { if budget > 0 { pthread_cond_signal(jobAdded) } }

  // MARK: - The scheduler's thread

  /// Begins the threads; each calls `work` of the scheduler.
  func begin(_ count: Int, for scheduler: Scheduler) {
    for _ in 0..<count {
      #if canImport(Darwin)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      livingCount += 1
      let code = pthread_create(
        &thread, nil,
        { value in
          let value: UnsafeMutableRawPointer? = value
          if let value { Unmanaged<Scheduler>.fromOpaque(value).takeRetainedValue().work() }
          return nil
        }, Unmanaged.passRetained(scheduler).toOpaque())
      precondition(code == 0, "The system cannot begin a thread")
      pthread_detach(known(thread))
    }
  }

  #if canImport(Darwin)
    private func known(_ thread: pthread_t?) -> pthread_t { thread ?? pthread_self() }
  #else
    private func known(_ thread: pthread_t) -> pthread_t { thread }
  #endif

  /// Lets the threads begin up to `count` steps, and waits until they are idle.
  ///
  /// - Parameter isDone: Whether no job is left that can run.
  func runTurn(_ count: Int, isDone: () -> Bool) {
    lock()
    defer { unlock() }
    budget = count
    isInTurn = true
    wake()
    while runningCount > 0 || budget > 0 && !isDone() { pthread_cond_wait(becameIdle, mutex) }
    budget = 0
    isInTurn = false
  }

  /// Ends the threads, and waits for them.
  func end() {
    lock()
    defer { unlock() }
    hasEnded = true
    pthread_cond_broadcast(jobAdded)
    while livingCount > 0 { pthread_cond_wait(becameIdle, mutex) }
  }

  // MARK: - The threads

  /// Calls a closure for each step, until the trial ends.
  ///
  /// - Parameters:
  ///   - take: Takes a job that can run now, with the lock.
  ///   - hasMore: Returns whether another job can run now, with the lock.
  ///   - run: Runs the job, without the lock.
  func takeSteps(
    _ take: () -> Scheduler.Ready?, hasMore: () -> Bool, _ run: (Scheduler.Ready) -> Void
  ) {
    lock()
    while !hasEnded {
      guard budget > 0, let next = take() else {
        if runningCount == 0 { pthread_cond_signal(becameIdle) }
        pthread_cond_wait(jobAdded, mutex)
        continue
      }
      budget -= 1
      runningCount += 1
      setBusy(next.work, true)
      // Each thread wakes only the next one. So no more threads wake than there are jobs.
      if hasMore() { wake() }
      unlock()
      run(next)
      lock()
      setBusy(next.work, false)
      runningCount -= 1
    }
    livingCount -= 1
    pthread_cond_signal(becameIdle)
    unlock()
  }

  /// Whether a job can run now; an executor runs one job at a time, and events are not jobs.
  func canRun(_ work: Scheduler.Work) -> Bool {
    switch work {
    case .event: false
    case .job: true
    case .mainJob: !isMainBusy
    case .diskJob(_, let executor): !busy.contains(ObjectIdentifier(executor))
    }
  }

  private func setBusy(_ work: Scheduler.Work, _ isBusy: Bool) {
    switch work {
    case .event, .job: break
    case .mainJob: isMainBusy = isBusy
    case .diskJob(_, let executor):
      if isBusy {
        busy.insert(ObjectIdentifier(executor))
      } else {
        busy.remove(ObjectIdentifier(executor))
      }
    }
  }
}
