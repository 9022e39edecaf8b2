/// How long to wait before something that failed is tried again.
struct RetryPause: Sendable, Equatable {
  /// The pause before the first repetition, doubled for each further one.
  var first: Duration
  var longest: Duration

  /// The pause before a repetition.
  ///
  /// - Parameters:
  ///   - repetition: Counted from 1.
  ///   - random: From 0 up to 1; takes off up to one half, so that not all come back at once.
  func duration(before repetition: Int, random: Double) -> Duration {
    first.doubled(repetition - 1, upTo: longest) * (1 - random / 2)
  }
}
