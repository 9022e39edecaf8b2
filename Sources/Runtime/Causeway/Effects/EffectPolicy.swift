/// Decides what happens when an effect starts while another one has the same id.
///
/// Delays are measured on the view model's clock.
public enum EffectPolicy: Hashable, Sendable {
  /// Both effects run.
  ///
  /// The policies of later effects also ignore a nameless parallel effect.
  case parallel
  /// The new effect starts; the running one is cancelled.
  ///
  /// If the earlier effect has not begun and its priority is not lower, the new effect runs in the
  /// earlier effect's task, with the task-local values of that task.
  case latest
  /// The new effect is dropped while another one runs.
  case first
  /// The new effect waits until all earlier ones have ended.
  case serial
  /// At most `limit` effects run. Further effects wait and start in order of arrival.
  case limited(to: Int)
  /// The new effect cancels the earlier one, and starts if no other arrives in the given time.
  ///
  /// If the delay of the earlier effect is not over and its priority is not lower, the new effect
  /// runs in the earlier effect's task, with the task-local values of that task.
  case debounce(for: Duration)
  /// At most one effect starts in each interval of the given length.
  ///
  /// If `latest` is true, the last effect that arrives during the interval starts at its end. Other
  /// effects that arrive during the interval are dropped.
  case throttle(for: Duration, latest: Bool)
}
