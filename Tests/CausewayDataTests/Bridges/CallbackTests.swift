import CausewayData
import Foundation
import Synchronization
import TestSupport
import Testing

private struct Broken: Error {}

@Suite(.timeLimit(.minutes(10)))
struct CallbackTests {
  @Test func `the value or the error of the callback arrives`() async throws {
    let value = try await withCallback { callback in
      Thread { callback.resume(returning: 7) }.start()
    }
    #expect(value == 7)
    await #expect(throws: Broken.self) {
      try await withCallback(of: Int.self) { $0.resume(throwing: Broken()) }
    }
    #expect(try await withCallback(of: Int.self) { $0(3, nil) } == 3)
    await #expect(throws: Broken.self) { try await withCallback(of: Int.self) { $0(3, Broken()) } }
  }

  @Test func `a second call is ignored and reported, and does not crash`() async throws {
    let reports = Log<CallbackError>()
    let value = try await withCallback(report: { reports.append($0) }) { callback in
      callback.resume(returning: 1)
      callback.resume(returning: 2)
      callback.resume(throwing: Broken())
    }
    #expect(value == 1)
    #expect(reports.all == [.calledAgain, .calledAgain])
  }

  @Test
  func `a callback that is released without a call throws an error instead of waiting forever`()
    async
  {
    let reports = Log<CallbackError>()
    await #expect(throws: CallbackError.dropped) {
      try await withCallback(of: Int.self, report: { reports.append($0) }) { _ in }
    }
    await #expect(throws: CallbackError.dropped) {
      try await withCallback(of: Int.self) { callback in
        Thread { _ = callback }.start()
      }
    }
    #expect(reports.all.isEmpty)
  }

  @Test func `a callback with neither a value nor an error throws a specific error`() async {
    await #expect(throws: CallbackError.calledWithoutResult) {
      try await withCallback(of: Int.self) { $0(nil, nil) }
    }
  }

  @Test
  func `a callback that misses its deadline throws an error, and its late call is not reported`()
    async
  {
    let clock = ManualClock()
    let reports = Log<CallbackError>()
    let kept = Mutex<Callback<Int>?>(nil)
    let call = Task {
      try await withCallback(
        of: Int.self, timeout: .seconds(5), clock: clock, report: { reports.append($0) }
      ) { callback in
        kept.withLock { $0 = callback }
      }
    }
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    await #expect(throws: CallbackError.timedOut(after: .seconds(5))) { try await call.value }
    kept.withLock { $0 }?.resume(returning: 1)
    #expect(reports.all.isEmpty)
    kept.withLock { $0 }?.resume(returning: 1)
    #expect(reports.all == [.calledAgain])
  }

  @Test func `cancelling ends the wait at once`() async {
    let kept = Log<Callback<Int>>()
    let call = Task {
      try await withCallback(of: Int.self) { kept.append($0) }
    }
    await kept.wait(for: 1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    kept.all.first?.resume(returning: 1)
  }

  @Test(arguments: 0..<50)
  func `only the first of concurrent calls on many threads counts`(_ round: Int) async throws {
    let reports = Log<CallbackError>()
    let value = try await withCallback(report: { reports.append($0) }) { callback in
      for number in 0..<8 {
        Thread { callback.resume(returning: number) }.start()
      }
    }
    #expect((0..<8).contains(value))
    await reports.wait(for: 7)
    #expect(reports.all.count == 7)
  }

  @MainActor
  @Test func `a completion handler runs once, on its own actor`() async {
    let results = Log<Int>()
    let task = withCompletion { @MainActor (result: Result<Int, any Error>) in
      MainActor.assertIsolated()
      results.append((try? result.get()) ?? -1)
    } _: {
      7
    }
    await task.value
    #expect(results.all == [7])
  }

  @Test func `a cancelled operation completes with its error`() async {
    let results = Log<Bool>()
    let started = Gate()
    let never = Gate()
    let task = withCompletion { (result: Result<Int, any Error>) in
      if case .failure(let error) = result { results.append(error is CancellationError) }
    } _: {
      started.open()
      await never.wait()
      try Task.checkCancellation()
      return 1
    }
    await started.wait()
    task.cancel()
    await task.value
    #expect(results.all == [true])
  }
}
