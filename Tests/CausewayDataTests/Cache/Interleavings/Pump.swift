import CausewayTesting
import Synchronization

/// An executor whose jobs an effect runs one by one, so an exploration orders them.
///
/// A cache runs its loads in unstructured tasks, which an exploration does not see. With this
/// executor they continue only when the pumping effect runs.
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

  /// Runs jobs until the task is cancelled.
  ///
  /// Other effects may run between them.
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
    // The remaining jobs of a finished trial run elsewhere.
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
