extension Duration {
  /// Twice as long for each doubling, up to a limit.
  ///
  /// - Complexity: O(log(limit / self)), however many doublings there are.
  func doubled(_ doublings: Int, upTo limit: Duration) -> Duration {
    guard self > .zero else { return min(self, limit) }
    var duration = self
    var left = doublings
    while left > 0, duration < limit {
      duration *= 2
      left -= 1
    }
    return min(duration, limit)
  }
}
