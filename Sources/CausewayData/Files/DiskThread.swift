import Dispatch
import Foundation
import Synchronization

/// A thread that waits for disks, so that the threads of the concurrent executor do not.
///
/// All stores share it: the disk behind them is one as well.
final class DiskThread: SerialExecutor {
  static let shared = DiskThread()

  private let jobs = Mutex<[UnownedJob]>([])
  // A thread that has nothing to do can only be blocked; a continuation would not do.
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
