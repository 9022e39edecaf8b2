import Dispatch
import Foundation
import Synchronization

/// A thread for blocking disk operations, so the threads of the concurrent executor are not
/// blocked.
///
/// All stores share it, because they usually share one disk.
final class DiskThread: SerialExecutor {
  static let shared = DiskThread()

  private let jobs = Mutex<[UnownedJob]>([])
  // A semaphore, because this thread has to block when there is no work. A continuation cannot
  // block.
  private let signal = DispatchSemaphore(value: 0)

  private init() {
    let thread = Thread { [self] in
      while true {
        signal.wait()
        for job in takeJobs() { job.runSynchronously(on: asUnownedSerialExecutor()) }
      }
    }
    thread.name = "Causeway disk"
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    signal.signal()
  }

  private func takeJobs() -> [UnownedJob] {
    jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
  }
}
