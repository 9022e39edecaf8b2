import CausewayBasics
import CausewayExploration
import Synchronization

/// The clock of a simulated node; it advances when no task can run.
///
/// Pass it to each component that takes a clock. `Task.sleep(for:)` also waits for virtual time.
/// The `now` of a system clock shows the virtual time on Linux only.
public struct SimulationClock: Clock {
  /// A moment, as the time since the start of the simulation.
  public struct Instant: InstantProtocol {
    // The type has its full name, because a clock also has a type `Duration`, and lists of the API
    // could show either.
    /// The time since the start of the simulation.
    public var offset: Swift.Duration

    /// Makes a moment.
    public init(offset: Swift.Duration) {
      self.offset = offset
    }

    /// Returns the moment after a duration.
    public func advanced(by duration: Swift.Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the time from this moment to another one.
    public func duration(to other: Instant) -> Swift.Duration {
      other.offset - offset
    }

    /// Returns whether a moment is before another one.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  /// Makes a clock.
  public init() {}

  /// The time of the simulation that runs on the current thread; zero outside a simulation.
  public var now: Instant {
    Instant(offset: Scheduler.ofThread?.now ?? .zero)
  }

  /// One nanosecond.
  public var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// Waits until a moment.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    try Task.checkCancellation()
    guard let scheduler = Scheduler.ofThread else {
      guard SimulatedTasks.noteForeignRun() != nil else {
        preconditionFailure("A SimulationClock can only be used inside simulate(…)")
      }
      // Another thread runs this task, and the trial has failed. The task goes no further.
      return await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    let waiter = Waiter<Void>()
    scheduler.post(scheduler.current, after: max(.zero, deadline.offset - scheduler.now)) {
      waiter.resume()
    }
    await waiter.value { $0.resume() }
    try Task.checkCancellation()
  }
}

extension SimulationClock: SimulatedTime {
  /// The first use of this constant makes the simulation of each thread the source of its dates and
  /// random numbers.
  static let isSourceOfSystemValues: Void = SystemValues.source.withLock {
    $0 = { Scheduler.ofThread == nil ? nil : SimulationClock() }
  }

  package func randomFraction() -> Double {
    Trial.use { $0.withValues { $0.randomFraction(at: $1) } }
  }
  package func randomWord() -> UInt64 { Trial.use { $0.withValues { $0.randomWord(at: $1) } } }
  package func milliseconds() -> Int64 { Trial.use { $0.withValues { $0.milliseconds(at: $1) } } }

  package func faultPoint(_ name: StaticString) async {
    guard let pause = Trial.use({ $0.passFaultPoint(name) }) else { return }
    // The task may be cancelled, so this does not use the throwing sleep.
    let scheduler = Trial.ofThread.scheduler
    let waiter = Waiter<Void>()
    scheduler.post(scheduler.current, after: pause) { waiter.resume() }
    await waiter.value { _ in }
  }

  package func giveWay() async {
    if Scheduler.ofThread != nil { await Task.yield() }
  }
}
