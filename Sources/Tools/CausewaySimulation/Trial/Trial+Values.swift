import CausewayExploration

/// The time and the random numbers of the current code.
extension Trial: SchedulerOwner {
  /// Calls a closure with the values of the node whose job runs, or of the world.
  func withValues<R>(_ body: (inout NodeValues, _ now: Duration) -> R) -> R {
    let node = scheduler.current.node
    return node >= 0 ? body(&nodes[node].values, scheduler.now) : body(&values, scheduler.now)
  }

  func systemTime(isWall: Bool) -> Int64 {
    guard isWall else { return NodeValues.uptime(at: scheduler.now) }
    scheduler.lock()
    defer { scheduler.unlock() }
    return withValues { values, now in values.nanoseconds(at: now) }
  }

  func randomize(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    scheduler.lock()
    defer { scheduler.unlock() }
    withValues { values, now in values.randomize(bytes, at: now) }
  }

  /// Makes the wall clock of a node jump.
  func moveClock(of id: NodeID, by duration: Duration) {
    log("has a clock that jumps by \(duration)", id)
    nodes[id.index].values.wallClock.skew += duration
  }
}
