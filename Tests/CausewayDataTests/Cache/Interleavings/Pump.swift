import CausewayTesting
import Synchronization

/// An executor whose jobs an effect runs one by one, so that an exploration orders them.
///
/// The loads of a cache are tasks of their own, which an exploration does not see. With this as
/// their executor they go on only when the effect that pumps does.
final class Pump: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let waiter = state.withLock { state in
      state.jobs.append(job)
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// Runs jobs until the task is cancelled; others may go on between them.
  func run() async {
    while !Task.isCancelled {
      let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
      if let job {
        job.runSynchronously(on: asUnownedTaskExecutor())
        await suspensionPoint()
      } else {
        await wait()
      }
    }
    // What is left of a trial that is over comes to its end elsewhere.
    for job in state.withLock({ $0.jobs }) {
      Task { @concurrent in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if Task.isCancelled || !state.jobs.isEmpty { return true }
          state.waiter = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiter.take() }?.resume()
    }
  }
}
