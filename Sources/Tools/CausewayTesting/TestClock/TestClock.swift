private import Synchronization

/// A clock that stands still until the test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let model = TestModel(SearchInteractor(api: api), clock: clock)
/// await model.send(.edit("swift")) { $0.query = "swift" }
/// await clock.advance(by: .milliseconds(300))
/// ```
///
/// Sleepers wake in the order of their deadlines. Sleepers with equal deadlines wake in the order
/// in which they went to sleep. Before the next sleeper wakes, all ready work of the models with
/// this clock runs. Other tasks that sleep on the clock continue independently.
public final class TestClock: Clock, Sendable {
  /// A point in time, as the duration since the clock was made.
  public struct Instant: InstantProtocol {
    // The type has its full name, because a clock also has a type `Duration`, and lists of the API
    // could show either.
    /// The time since the clock was made.
    public var offset: Swift.Duration

    /// Makes an instant from the time since the clock was made.
    public init(offset: Swift.Duration) {
      self.offset = offset
    }

    /// Returns the instant after a duration.
    public func advanced(by duration: Swift.Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the time from this instant to another one.
    public func duration(to other: Instant) -> Swift.Duration {
      other.offset - offset
    }

    /// Orders instants by time.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private let book = Mutex(SleeperBook())

  /// Makes a clock at time zero.
  public init() {}

  /// The current instant.
  ///
  /// Only ``advance(by:)``, ``advance(to:)`` and ``run(upTo:)`` change it.
  public var now: Instant { book.withLock(\.now) }

  /// The resolution of the clock: zero, because the clock is exact.
  public var minimumResolution: Swift.Duration { .zero }

  /// Waits until the clock has reached the deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before the deadline.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    let (ticket, effect) = book.withLock { ($0.takeTicket(), $0.currentEffect) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiters = book.withLock { book -> [CheckedContinuation<Void, Never>]? in
          if Task.isCancelled || deadline <= book.now { return nil }
          return book.add(
            Sleeper(
              deadline: deadline, ticket: ticket, effect: effect, continuation: continuation))
        }
        guard let waiters else {
          return continuation.resume(with: Result { try Task.checkCancellation() })
        }
        for waiter in waiters { waiter.resume() }
      }
    } onCancel: {
      book.withLock { $0.remove(ticket) }?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Advances the time, and returns when nothing can continue without more time or input.
  ///
  /// - Parameter duration: Not negative. Zero wakes no sleeper, but runs everything that can run.
  @MainActor
  public func advance(by duration: Swift.Duration) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Advances the time to an instant, and returns when nothing can continue without more time or
  /// input.
  ///
  /// - Parameter instant: Not before ``now``.
  @MainActor
  public func advance(to instant: Instant) async {
    precondition(
      instant >= now, "The clock is at \(now.offset) and cannot go to \(instant.offset).")
    await settle()
    while wakeFirst(until: instant) { await settle() }
    book.withLock { $0.now = max($0.now, instant) }
  }

  /// Waits until a number of tasks sleep on the clock.
  ///
  /// Use it for an object with its own task, which no model of the kit runs. Such a task sleeps
  /// some time after it was started or woken. When it sleeps, its work before the sleep is done:
  ///
  /// ```swift
  /// ticker.start(on: clock)
  /// for minute in 1...3 {
  ///   await clock.waitForSleepers()
  ///   await clock.advance(by: .seconds(60))
  /// }
  /// await clock.waitForSleepers()
  /// #expect(ticker.minutes == 3)
  /// ```
  ///
  /// It also returns when the calling task is cancelled, as at the time limit of a test.
  ///
  /// - Parameters:
  ///   - count: The number of tasks that must sleep. Default: 1.
  ///   - limit: The longest time to wait. Then the test fails, and the failure names the tasks that
  ///     sleep. Default: 60 seconds.
  ///   - reporter: Receives the failure. Default: the running test.
  ///   - fileID: The file of the call, where a failure is shown; leave it to the compiler.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  @MainActor
  public func waitForSleepers(
    _ count: Int = 1, within limit: Swift.Duration = .seconds(60),
    reporter: FailureReporter = .automatic, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async {
    await settle()
    let ticket = book.withLock { $0.takeTicket() }
    let late = LateSleepers()
    let end = Task { [self] in
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      let (waiter, text) = book.withLock { ($0.removeWaiter(ticket), $0.description) }
      guard let waiter else { return }
      late.text.withLock { $0 = text }
      waiter.resume()
    }
    await wait(for: count, ticket)
    end.cancel()
    guard let text = late.text.withLock(\.self) else { return }
    reporter.report(
      "The number of tasks that sleep on the clock was not \(count) within \(limit). \(text)",
      TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  @MainActor
  private func wait(for count: Int, _ ticket: Int) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = book.withLock { book in
          !Task.isCancelled && book.addWaiter(ticket, for: count, continuation)
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      book.withLock { $0.removeWaiter(ticket) }?.resume()
    }
  }

  /// Advances the time from sleeper to sleeper until no task sleeps.
  ///
  /// - Parameter limit: The time to stop at, for effects that never end. Default: an hour.
  /// - Returns: Whether no task sleeps any more.
  @MainActor
  @discardableResult
  public func run(upTo limit: Swift.Duration = .seconds(3600)) async -> Bool {
    let end = now.advanced(by: limit)
    await settle()
    while wakeFirst(until: end) { await settle() }
    return book.withLock(\.isEmpty)
  }

  @MainActor
  private func settle() async {
    let drains = book.withLock { book in
      book.drains.removeAll { $0.drain == nil }
      return book.drains.compactMap(\.drain)
    }
    // This is repeated if a model has given work to another model that was drained before it.
    repeat {
      for drain in drains {
        await drain.settle()
      }
    } while !Task.isCancelled && drains.contains { $0.queue.count > 0 && !$0.isExhausted }
  }

  /// Whether any task sleeps.
  var hasSleepers: Bool { book.withLock { !$0.isEmpty } }

  /// Returns whether a task sleeps until an instant or an earlier one.
  func hasSleeper(until instant: Instant) -> Bool {
    book.withLock { $0.first(until: instant) != nil }
  }

  /// Advances the time to the first deadline up to an instant and wakes its sleeper, if there is
  /// one.
  func wakeFirst(until instant: Instant) -> Bool {
    guard let sleeper = book.withLock({ $0.wakeFirst(until: instant) }) else { return false }
    sleeper.continuation.resume()
    return true
  }

  /// Runs a drain after each sleeper that wakes.
  func attach(_ drain: Drain) {
    book.withLock { $0.drains.append(WeakDrain(drain: drain)) }
  }

  /// The deadlines of a queue's effects, by the effect's number.
  func deadlines(in queue: JobQueue) -> [Int: Instant] {
    book.withLock { $0.deadlines(in: queue) }
  }
}

/// The tasks that slept on a clock at the end of a wait for sleepers.
private final class LateSleepers: Sendable {
  let text = Mutex<String?>(nil)
}
