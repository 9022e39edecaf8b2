/// Measures the time that a change takes to reach a stream, and decides how often changes are sent.
///
/// One thread hands a change to each stream in turn, and answers actions in between. If the next
/// change followed at once, answers would wait for all streams. So the pause after a change is four
/// times as long as the previous change took to reach all streams. The thread then spends a fifth
/// of its time on changes, and on a slow or busy machine more changes share an event.
///
/// Times are measured from the moment at which a change was published.
struct StreamPace: Sendable {
  /// The limits of the time that counts for a stream.
  private static let times = Duration.microseconds(10)...Duration.microseconds(100)
  /// Fewer streams need no pause.
  private static let fewest = 50
  /// With thousands of streams, changes are shown at least twice a second.
  private static let longest = Duration.milliseconds(500)

  private var published: ContinuousClock.Instant?
  /// The largest time that counts for a stream; a stream that was closed for a while takes longer.
  private var latest = Duration.zero
  /// The number of streams that have taken the change, and the sum of their times.
  private var taken = (count: 0, sum: Duration.zero)
  /// The time that a change takes for each stream.
  private var time = times.lowerBound

  /// Records that a change was published to a number of streams.
  mutating func publish(to streams: Int, at now: ContinuousClock.Instant) {
    if taken.count > 0 {
      // Streams take a change one after the other, so the last one takes twice the mean. A few slow
      // clients hardly change the mean.
      time = taken.sum * 2 / (taken.count * taken.count)
    }
    (published, taken) = (now, (0, .zero))
    latest = Self.times.upperBound * streams
  }

  /// Records that a stream has taken the change.
  mutating func take(at now: ContinuousClock.Instant) {
    guard let published else { return }
    taken.count += 1
    taken.sum += min(now - published, latest)
  }

  /// The time between a change and the next one.
  func pause(for streams: Int) -> Duration {
    if streams < Self.fewest { return .zero }
    let time = min(max(time, Self.times.lowerBound), Self.times.upperBound)
    return min(time * 4 * streams, Self.longest)
  }
}
