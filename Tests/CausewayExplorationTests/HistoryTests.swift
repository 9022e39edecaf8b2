import CausewayExploration
import Synchronization
import Testing

private enum Step: Sendable { case add, read }

/// Awaits between its read and its write, unless it is mended.
private actor Total {
  private(set) var value = 0
  private let isMended: Bool

  init(isMended: Bool) { self.isMended = isMended }

  func add() async -> Int {
    let old = value
    if !isMended { await Task.yield() }
    value = old + 1
    return value
  }
}

private enum Use: Sendable { case wait, signal }

/// Forgets a waiter if two come at once, unless it is mended.
private actor Semaphore {
  private var permits = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private let keepsAll: Bool

  init(keepsAll: Bool) { self.keepsAll = keepsAll }

  func perform(_ use: Use) async {
    switch use {
    case .signal:
      if waiters.isEmpty { permits += 1 } else { waiters.removeFirst().resume() }
    case .wait:
      if permits > 0 {
        permits -= 1
      } else {
        await withCheckedContinuation { waiter in
          if keepsAll { waiters.append(waiter) } else { waiters = [waiter] }
        }
      }
    }
  }
}

private enum Change: Sendable { case send(Int), receive }

/// A buffer with one place.
private actor Channel {
  private var value: Int?
  private let checksAgain: Bool

  init(checksAgain: Bool) { self.checksAgain = checksAgain }

  /// Returns the sent or received value; `nil` if the buffer was full or empty.
  func perform(_ change: Change) async -> Int? {
    switch change {
    case .send(let new):
      guard value == nil else { return nil }
      await Task.yield()
      if checksAgain, value != nil { return nil }
      value = new
      return new
    case .receive: return value.take()
    }
  }
}

struct HistoryTests {
  /// A fault is found after a few orders, on a slow machine too; a mended version has many orders.
  private func limit(_ isMended: Bool) -> Duration { isMended ? .milliseconds(300) : .seconds(100) }

  /// Runs an exploration in which a failure is expected or not, and returns the texts of its issues.
  private func issues(
    _ body: () async throws -> ExploredOrders
  ) async throws -> [String] {
    let texts = Mutex<[String]>([])
    try await withKnownIssue(isIntermittent: true) {
      let orders = try await body()
      #expect(orders.trials > 0)
    } matching: { issue in
      texts.withLock { $0.append("\(issue)") }
      return true
    }
    return texts.withLock { $0 }
  }

  @Test(arguments: [false, true])
  func `no order of operations explains a lost update`(isMended: Bool) async throws {
    let issues = try await issues {
      try await exploreOperations(
        [Step.add, .read], for: limit(isMended),
        model: SequentialModel<Int, Step, Int>(0) { sum, step in
          if step == .add { sum += 1 }
          return sum
        },
        on: { Total(isMended: isMended) }
      ) { total, step in
        step == .add ? await total.add() : await total.value
      }
    }
    #expect(issues.isEmpty == isMended, "\(issues)")
    #expect(isMended || issues[0].contains("No order of these operations"), "\(issues)")
  }

  @Test(arguments: [false, true])
  func `a forgotten waiter is found, and a semaphore without permits may let its callers wait`(
    isMended: Bool
  ) async throws {
    let issues = try await issues {
      try await exploreOperations(
        [Use.wait, .signal], tasks: 4, each: 1, for: limit(isMended),
        model: SequentialModel<Int, Use, Bool>(0, waits: { $1 == .wait && $0 == 0 }) {
          $0 += $1 == .signal ? 1 : -1
          return true
        },
        on: { Semaphore(keepsAll: isMended) }
      ) { semaphore, use in
        await semaphore.perform(use)
        return true
      }
    }
    #expect(issues.isEmpty == isMended, "\(issues)")
  }

  @Test(arguments: [false, true])
  func `a value that replaces another one in a full channel is found`(
    isMended: Bool
  ) async throws {
    let issues = try await issues {
      try await exploreOperations(
        [Change.send(1), .send(2), .receive], for: limit(isMended),
        model: SequentialModel<Int?, Change, Int?>(nil) { value, change in
          switch change {
          case .send(let new):
            guard value == nil else { return Int?.none }
            value = new
            return new
          case .receive: return value.take()
          }
        },
        on: { Channel(checksAgain: isMended) }
      ) { channel, change in await channel.perform(change) }
    }
    #expect(issues.isEmpty == isMended, "\(issues)")
  }

  @Test func `an operation that waits although it should not has no explanation`() async throws {
    let issues = try await issues {
      try await exploreOperations(
        [Step.read], tasks: 1, each: 1,
        model: SequentialModel<Int, Step, Int>(0) { value, _ in value },
        on: { 0 }
      ) { _, _ in
        await withUnsafeContinuation { (_: UnsafeContinuation<Int, Never>) in }
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("All tasks wait for ever, although the model") == true)
  }
}
