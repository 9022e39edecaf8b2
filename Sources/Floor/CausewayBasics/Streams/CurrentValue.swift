import Synchronization

/// A value that many streams follow.
///
/// Each stream begins with the current value. A slow consumer gets only the newest value. The
/// functions may be called from any isolation.
public final class CurrentValue<Value: Sendable & Equatable>: Sendable {
  private struct State {
    var value: Value
    var version = 0
  }

  private let state: Mutex<State>
  private let broadcast: Broadcast<Value>

  /// Makes the value.
  public init(_ value: Value) {
    state = Mutex(State(value: value))
    broadcast = Broadcast(value, buffering: .latest)
  }

  /// The current value, read under a lock.
  public var value: Value { state.withLock(\.value) }

  /// Sets the value; returns whether it differs from the current value.
  ///
  /// An equal value is not sent again.
  @discardableResult
  public func set(_ value: Value) -> Bool { update { $0 = value } }

  /// Changes the value; returns whether the result differs from the current value.
  ///
  /// - Parameter change: Called without a lock, and again if another call has changed the value in
  ///   the meantime.
  @discardableResult
  public func update(_ change: (inout Value) -> Void) -> Bool {
    while true {
      let (current, version) = state.withLock { ($0.value, $0.version) }
      var value = current
      change(&value)
      if value == current { return false }
      let wakeups: Wakeups<Value>? = state.withLock { state in
        guard state.version == version else { return nil }
        state.value = value
        state.version += 1
        return broadcast.add(value, beginning: value)
      }
      if let wakeups {
        wakeups.resume()
        return true
      }
    }
  }

  /// A stream of the value, registered when this returns.
  public func stream() -> AsyncStream<Value> { broadcast.stream() }
}
