extension Clock where Duration == Swift.Duration {
  /// Returns a sequence with an element after each interval: 1, 2, 3 and so on.
  ///
  /// ```swift
  /// for await minute in clock.timer(every: .seconds(60)).prefix(5) { … }
  /// ```
  ///
  /// The time begins with the iteration. The elements do not drift. A consumer that is late gets the
  /// latest missed element at once, and no earlier one: the element is the number of intervals that
  /// have passed. The sequence ends when its task is cancelled.
  ///
  /// - Parameter interval: Positive.
  public func timer(every interval: Swift.Duration) -> ClockTimer {
    precondition(interval > .zero, "The interval of a timer must be positive, but is \(interval).")
    return ClockTimer {
      let start = self.now
      return { last in
        let passed = start.duration(to: self.now) / interval
        if passed >= Double(last + 1) { return Int(exactly: passed.rounded(.down)) ?? .max }
        try await self.sleep(until: start.advanced(by: interval * (last + 1)), tolerance: nil)
        return last + 1
      }
    }
  }
}

/// A sequence with an element after each interval of a clock; see `Clock.timer(every:)`.
public struct ClockTimer: AsyncSequence, Sendable {
  /// Waits for the time of the element after `last`, and returns that element.
  typealias Advance = @Sendable (_ last: Int) async throws -> Int

  let begin: @Sendable () -> Advance

  /// Makes an iterator, and begins the time.
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<Int, Never> & Sendable {
    Ticks(advance: begin())
  }

  /// The ticks of one consumer.
  private struct Ticks: AsyncIteratorProtocol, Sendable {
    let advance: Advance
    var last = 0

    /// Waits for the next element; `nil` when the task is cancelled.
    mutating func next() async -> Int? {
      if Task.isCancelled { return nil }
      guard let next = try? await advance(last) else { return nil }
      last = next
      return next
    }
  }
}
