/// The threads of a trial.
extension Scheduler {
  /// The scheduler that runs on the current thread; `nil` outside a simulation.
  package static var ofThread: Scheduler? { SchedulerThread.current?.scheduler }

  /// Runs a closure; the jobs that it enqueues belong to this scheduler.
  ///
  /// - Parameters:
  ///   - name: The name of the trial, for a step that does not end.
  ///   - threads: The number of threads that take the steps; 0 if the current thread takes them.
  package func withThread<R>(_ name: String, threads: Int, _ body: () throws -> R) rethrows -> R {
    let watch = StepWatch.begin(name, call: followsTasks ? "exploreInterleavings" : "simulate")
    self.watch = watch
    if threads > 0 {
      let stepThreads = StepThreads()
      self.stepThreads = stepThreads
      stepThreads.begin(threads, for: self)
    }
    defer {
      stepThreads?.end()
      watch.end()
    }
    return try SchedulerThread(self, seed: 0).run(body)
  }

  /// Takes steps on the current thread, until the trial ends.
  func work() {
    watch?.add()
    // The order of the steps of several threads is random in any case.
    let thread = SchedulerThread(self, seed: .random(in: 0...UInt64.max))
    thread.run {
      stepThreads?.takeSteps(takeJob, hasMore: { hasJob }) { next in
        thread.begin(next)
        thread.pause()
        perform(next.work)
        thread.life = .world
      }
    }
  }

  /// Prevents other step threads from using the trial until `unlock()`.
  package func lock() {
    guard let stepThreads else { return }
    SchedulerThread.current?.enter()
    stepThreads.lock()
  }

  /// Ends the effect of a call of `lock()`.
  package func unlock() {
    guard let stepThreads else { return }
    stepThreads.unlock()
    SchedulerThread.current?.leave()
  }
}
