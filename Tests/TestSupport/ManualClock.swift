import Synchronization

/// A clock that stands still until the test advances it.
public final class ManualClock: Clock, Sendable {
  /// A point in time, as the duration since the clock was created.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public var offset: Duration

    /// The instant after a duration.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The time from here to another instant.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Orders instants by time.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Observer {
    let count: Int
    let limit: Duration?
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Int: Sleeper] = [:]
    var next = 0
    var observers: [Int: Observer] = [:]

    func count(within limit: Duration?) -> Int {
      guard let limit else { return sleepers.count }
      let latest = now.advanced(by: limit)
      return sleepers.values.count { $0.deadline <= latest }
    }
  }

  private let state = Mutex(State())

  /// Makes a clock at time zero.
  public init() {}

  /// The current instant.
  ///
  /// Only ``advance(by:)`` changes it.
  public var now: Instant { state.withLock(\.now) }

  /// The clock is exact.
  public var minimumResolution: Duration { .zero }

  /// Returns when the clock has reached the deadline, or throws when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isOver, ready) = state.withLock { state in
          if Task.isCancelled || deadline <= state.now {
            return (true, [CheckedContinuation<Void, Never>]())
          }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          return (false, Self.takeObservers(&state))
        }
        for observer in ready { observer.resume() }
        if isOver {
          continuation.resume(with: Result { try Task.checkCancellation() })
        }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?
        .continuation.resume(throwing: CancellationError())
    }
  }

  /// Advances the time, and wakes the tasks whose deadlines have passed, in deadline order.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
    }
    for (_, sleeper) in due { sleeper.continuation.resume() }
  }

  /// Returns when that many tasks sleep on the clock or the calling task is cancelled.
  ///
  /// - Parameters:
  ///   - count: The number of tasks that have to sleep.
  ///   - limit: Only tasks that this duration would wake are counted. With `nil` all are counted.
  public func sleepers(_ count: Int, within limit: Duration? = nil) async {
    let id = state.withLock { state in
      defer { state.next += 1 }
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.count(within: limit) >= count || Task.isCancelled { return true }
          state.observers[id] = Observer(count: count, limit: limit, continuation: continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.observers.removeValue(forKey: id) }?.continuation.resume()
    }
  }

  /// Ends each wait of up to five minutes as soon as it begins, until the returned task is
  /// cancelled.
  public func advancingOverAllWaits() -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        await sleepers(1, within: .seconds(300))
        if !Task.isCancelled { advance(by: .seconds(300)) }
      }
    }
  }

  private static func takeObservers(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
    let ready = state.observers.filter { $0.value.count <= state.count(within: $0.value.limit) }
    for id in ready.keys { state.observers[id] = nil }
    return ready.values.map(\.continuation)
  }
}
