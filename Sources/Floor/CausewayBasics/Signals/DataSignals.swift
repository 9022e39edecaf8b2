package import Synchronization

/// Passes the signals of the data layer to observers.
///
/// Without an observer, a signal is not made, and costs only one atomic load.
///
/// Isolation: any.
package enum DataSignals {
  package typealias Observer = @Sendable (DataSignal) -> Void

  private struct State {
    var observers: [(id: UInt64, observe: Observer)] = []
    var last: UInt64 = 0
  }

  private static let state = Mutex(State())
  @usableFromInline package static let count = Atomic(0)
  private static let requests = Atomic<UInt64>(0)

  /// Whether there is an observer.
  @inlinable package static var areObserved: Bool { count.load(ordering: .relaxed) > 0 }

  /// Calls a closure with each signal of the process, until the result is released.
  ///
  /// The closure runs on the sender's thread, which may be any thread. It must not block.
  package static func observe(_ observe: @escaping Observer) -> DataSignalObservation {
    let id = state.withLock { state in
      state.last += 1
      state.observers.append((state.last, observe))
      return state.last
    }
    count.add(1, ordering: .relaxed)
    return DataSignalObservation(id)
  }

  /// Makes and sends a signal, if there is an observer.
  ///
  /// The caller must not hold a lock.
  @inlinable
  package static func send(_ signal: @autoclosure () -> DataSignal) {
    if areObserved { deliver(signal()) }
  }

  @usableFromInline
  package static func deliver(_ signal: DataSignal) {
    for observer in state.withLock({ $0.observers }) { observer.observe(signal) }
  }

  /// Returns a number for the signals of one request.
  package static func makeRequestNumber() -> UInt64 {
    requests.add(1, ordering: .relaxed).newValue
  }

  fileprivate static func remove(_ id: UInt64) {
    // The closure is released after the unlock.
    let removed = state.withLock { state in
      state.observers.firstIndex { $0.id == id }.map { state.observers.remove(at: $0) }
    }
    if removed != nil { count.subtract(1, ordering: .relaxed) }
  }
}

/// Keeps an observer of the data layer.
package final class DataSignalObservation: Sendable {
  private let id: UInt64

  fileprivate init(_ id: UInt64) {
    self.id = id
  }

  deinit {
    DataSignals.remove(id)
  }
}

/// Measures a duration, if the data layer has an observer.
package struct SignalTimer: Sendable {
  private let start: ContinuousClock.Instant?

  package init() {
    start = DataSignals.areObserved ? ContinuousClock.now : nil
  }

  /// The time since the start; zero if there was no observer at the start.
  package var elapsed: Duration { start.map { ContinuousClock.now - $0 } ?? .zero }
}
