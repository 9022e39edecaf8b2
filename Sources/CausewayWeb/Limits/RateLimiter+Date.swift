public import Foundation

extension RateLimiter {
  /// Makes a limiter that uses the date of the program, which a simulation controls.
  ///
  /// If the date is set back, allowances do not grow until it has caught up.
  public convenience init(
    _ limit: Int, per period: Duration, code: String = "too-many-requests",
    detail: String = "There were too many requests.", date: @escaping @Sendable () -> Date
  ) {
    let (start, first) = (ContinuousClock.now, date())
    self.init(
      limit, per: period, code: code, detail: detail,
      now: { start + .seconds(max(0, min(date().timeIntervalSince(first), 1e9))) })
  }
}
