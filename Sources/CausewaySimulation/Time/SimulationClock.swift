import Synchronization

/// The clock of a simulated node; it advances when no task can run.
///
/// Pass it to each component that takes a clock. `Task.sleep(for:)` also waits for virtual time,
/// but the `now` of a system clock cannot be replaced.
public struct SimulationClock: Clock {
  /// A moment, as the time since the start of the simulation.
  public struct Instant: InstantProtocol {
    /// The time since the start of the simulation.
    public var offset: Duration

    /// Makes a moment.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// Returns the moment after a duration.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the time from this moment to another one.
    public func duration(to other: Instant) -> Duration {
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
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until a moment.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    guard let scheduler = Scheduler.ofThread else {
      preconditionFailure("A SimulationClock can only be used inside simulate(…)")
    }
    let sleeper = Sleeper()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if sleeper.begin(continuation) {
          scheduler.post(scheduler.current, after: max(.zero, deadline.offset - scheduler.now)) {
            sleeper.wake()
          }
        }
      }
    } onCancel: {
      sleeper.wake()
    }
    try Task.checkCancellation()
  }
}

/// A continuation that a timer or a cancellation resumes, depending on which happens first.
final class Sleeper: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Void, Never>)
    case awake
  }

  private let state = Mutex(State.new)

  /// Stores the continuation, or resumes it if the sleep has already ended.
  ///
  /// Returns whether the continuation was stored.
  func begin(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    let waits = state.withLock { state in
      if case .awake = state { return false }
      state = .waiting(continuation)
      return true
    }
    if !waits { continuation.resume() }
    return waits
  }

  func wake() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .awake }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume()
  }
}
