import Synchronization

/// An executor whose jobs run in an effect, so an exploration orders them.
final class Steps: TaskExecutor {
  private struct State {
    var jobs: [Int: UnownedJob] = [:]
    var next = 0
    var isOver = false
  }

  private let state = Mutex(State())
  private let numbers: AsyncStream<Int>
  private let added: AsyncStream<Int>.Continuation

  init() {
    (numbers, added) = AsyncStream.makeStream(of: Int.self)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let number: Int? = state.withLock { state in
      if state.isOver { return nil }
      state.next += 1
      state.jobs[state.next] = job
      return state.next
    }
    if let number { added.yield(number) } else { runElsewhere(job) }
  }

  /// Runs jobs, each in its own task, until the task is cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await number in numbers {
        group.addTask { self.take(number)?.runSynchronously(on: self.asUnownedTaskExecutor()) }
      }
    }
    end()
  }

  /// Runs the remaining jobs of a finished trial elsewhere.
  func end() {
    let left = state.withLock { state in
      state.isOver = true
      defer { state.jobs = [:] }
      return state.jobs.values
    }
    for job in left { runElsewhere(job) }
  }

  private func take(_ number: Int) -> UnownedJob? {
    state.withLock { $0.jobs.removeValue(forKey: number) }
  }

  private func runElsewhere(_ job: UnownedJob) {
    Task { @concurrent in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
