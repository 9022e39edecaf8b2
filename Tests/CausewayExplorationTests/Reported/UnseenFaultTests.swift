import Synchronization
import Testing

@testable import CausewayExploration

/// Resumes a waiter while it holds the lock that the waiter's cancellation takes.
private final class ResumingUnderLock: Sendable {
  private let waiter = Mutex<(isDone: Bool, continuation: UnsafeContinuation<Void, Never>?)>(
    (false, nil))

  func wait() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        waiter.withLock { waiter in
          // causeway:ignore call-under-lock this is the fault
          if waiter.isDone { continuation.resume() } else { waiter.continuation = continuation }
        }
      }
    } onCancel: {
      signal()
    }
  }

  func signal() {
    waiter.withLock { waiter in
      waiter.isDone = true
      // causeway:ignore call-under-lock this is the fault
      waiter.continuation.take()?.resume()
    }
  }
}

/// Two objects whose locks two tasks take in opposite orders.
private final class TwoLocks: Sendable {
  private let first = Mutex(0)
  private let second = Mutex(0)

  func move() { first.withLock { from in second.withLock { $0 += from } } }

  func moveBack() { second.withLock { from in first.withLock { $0 += from } } }
}

/// Locks its values twice for one result, so the values can change in between.
private final class Errors: Sendable {
  private let times = Mutex<[Int]>([])

  func add() { times.withLock { $0.append(1) } }

  func clear() { times.withLock { $0 = [] } }

  /// The first time; -1 if it was removed between the two reads.
  var first: Int? {
    guard times.withLock({ !$0.isEmpty }) else { return nil }
    return times.withLock { $0.first } ?? -1
  }
}

/// The kinds of faults that the article lists as not found.
///
/// A step is never interrupted. So the exploration does not find a fault for which two threads must
/// run within a step.
struct UnseenFaultTests {
  @Test func `a lock that a resumption and a cancellation hold is not found`() {
    let orders = explore(cancelsTasks: true) {
      let shared = ResumingUnderLock()
      let waiter = Task { await shared.wait() }
      let signal = Task { shared.signal() }
      await signal.value
      await waiter.value
    }
    #expect(orders.isComplete && orders.failure == nil, "\(orders)")
  }

  @Test func `two locks in opposite orders are not found`() {
    let orders = explore {
      let locks = TwoLocks()
      async let there: Void = locks.move()
      async let back: Void = locks.moveBack()
      _ = await (there, back)
    }
    #expect(orders.isComplete && orders.failure == nil, "\(orders)")
  }

  @Test func `two reads of one step under a lock are not found`() {
    let orders = explore {
      let errors = Errors()
      errors.add()
      async let clear: Void = errors.clear()
      async let first = errors.first
      try require(await first != -1, "the error is gone between the reads")
      await clear
    }
    #expect(orders.isComplete && orders.failure == nil, "\(orders)")
  }

  @Test func `a read and a write of one step without a lock around both are not found`() {
    let orders = explore {
      let count = Shared(0)
      async let first: Void = count.set(count.current + 1)
      async let second: Void = count.set(count.current + 1)
      _ = await (first, second)
      try require(count.current == 2, "an update is lost")
    }
    #expect(orders.isComplete && orders.failure == nil, "\(orders)")
  }
}
