import Dispatch
import Foundation
import Synchronization

/// A thread for disk operations that block, outside of the concurrent executor.
///
/// All stores share this thread, because they usually share one disk.
final class DiskThread: SerialExecutor {
  static let shared = DiskThread()

  private let jobs = Mutex<[UnownedJob]>([])
  // A semaphore, because the thread must block when there is no work. A continuation cannot block a
  // thread.
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
