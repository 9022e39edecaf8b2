import CausewayBasics
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WaiterTests {
  @Test func `the first value ends the wait, even if the value comes before the wait`() async {
    let waiter = Waiter<Int>()
    waiter.resume(returning: 1)
    waiter.resume(returning: 2)
    #expect(await waiter.value { _ in } == 1)
    waiter.resume(returning: 3)
  }

  @Test func `a cancelled caller is resumed by its handler, before and during the wait`() async {
    for isCancelledBefore in [true, false] {
      let waiter = Waiter<Int>()
      let (begun, mayWait) = (Gate(), Gate())
      let task = Task {
        begun.open()
        await mayWait.wait()
        return await waiter.value { $0.resume(returning: 7) }
      }
      await begun.wait()
      if isCancelledBefore { task.cancel() }
      mayWait.open()
      if !isCancelledBefore { task.cancel() }
      #expect(await task.value == 7)
    }
  }

  /// A queue that uses waiters in the same way as the package's locks and queues.
  private final class Line: Sendable {
    private let waiters = Mutex<[Waiter<Bool>]>([])

    func join() -> Waiter<Bool> {
      waiters.withLock { waiters in
        waiters.append(Waiter())
        return waiters[waiters.count - 1]
      }
    }

    func wait(_ waiter: Waiter<Bool>) async -> Bool {
      await waiter.value { [self] waiter in
        if waiters.withLock({ $0.remove(waiter) }) { waiter.resume(returning: false) }
      }
    }

    /// Resumes the first in line; returns whether there was one.
    func admit() -> Bool {
      let first = waiters.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      first?.resume(returning: true)
      return first != nil
    }
  }

  @Test func `a hand-over during a cancellation is neither lost nor done twice`() async {
    for _ in 0..<2_000 {
      let line = Line()
      let (first, second) = (line.join(), line.join())
      let cancelled = Task { await line.wait(first) }
      let other = Task { await line.wait(second) }
      async let admitted = Task { line.admit() }.value
      cancelled.cancel()
      #expect(await admitted)
      // Either the cancelled caller or the other caller was admitted.
      if await cancelled.value {
        #expect(line.admit())
      }
      #expect(await other.value)
      #expect(!line.admit())
    }
  }
}
