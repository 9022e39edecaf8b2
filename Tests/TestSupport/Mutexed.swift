import Synchronization

/// A value that closures of several isolations read and change.
public final class Mutexed<Value: Sendable>: Sendable {
  private let stored: Mutex<Value>

  /// Makes a shared value.
  public init(_ value: Value) { stored = Mutex(value) }

  /// The value now.
  public var value: Value {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
