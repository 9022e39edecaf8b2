/// The wall clock of a node, which can be wrong, jump, and run too fast or too slow.
struct NodeWallClock {
  /// The difference from the right time.
  var skew = Duration.zero
  /// The difference that is added in each million seconds, in seconds.
  private var drift = 0
  private var driftBegan = Duration.zero

  /// The time since the beginning of the trial, as the node sees it.
  func time(at now: Duration) -> Duration {
    now + skew + (now - driftBegan) * drift / 1_000_000
  }

  /// Changes the speed; the time does not jump.
  mutating func setDrift(_ partsPerMillion: Int, at now: Duration) {
    skew = time(at: now) - now
    drift = partsPerMillion
    driftBegan = now
  }
}
