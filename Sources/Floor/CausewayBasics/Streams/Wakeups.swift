/// The consumers that a sender resumes, and the values that it releases, after it has unlocked.
package struct Wakeups<Value: Sendable>: Sendable {
  var consumers: [UnsafeContinuation<Void, Never>] = []
  /// Values that are not needed any more.
  ///
  /// Releasing a value can run any code, such as a deinitialiser that cancels a task.
  var released: [Value] = []

  package init(releasing value: Value? = nil) {
    if let value { released.append(value) }
  }

  /// Resumes the consumers; must be called once, and not under a lock.
  package consuming func resume() {
    for consumer in consumers { consumer.resume() }
  }
}
