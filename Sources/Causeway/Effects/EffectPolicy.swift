/// What happens when an effect starts while one with the same id is there already.
///
/// Delays are measured on the view model's clock.
public enum EffectPolicy: Hashable, Sendable {
  /// Both run.
  ///
  /// Without a name, this effect does not count for those that come later either.
  case parallel
  /// The new one takes over; the running one is cancelled.
  case latest
  /// The new one is dropped while one runs.
  case first
  /// The new one waits until those before it have ended.
  case serial
  /// At most `limit` run; the new one waits until there is room, first come, first served.
  case limited(to: Int)
  /// The new one takes over, and starts when no other has come for the given time.
  case debounce(for: Duration)
  /// At most one starts in the given time. Of those that come meanwhile the last one starts at
  /// the end of that time if `latest` is true; otherwise they are dropped.
  case throttle(for: Duration, latest: Bool)
}
