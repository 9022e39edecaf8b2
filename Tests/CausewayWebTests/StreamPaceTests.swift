import Testing

@testable import CausewayWeb

@Suite(.timeLimit(.minutes(10))) struct StreamPaceTests {
  /// The pause after all streams have taken a change, one after the other.
  private func pause(streams: Int, each time: Duration, late: Duration? = nil) -> Duration {
    var pace = StreamPace()
    let start = ContinuousClock.now
    pace.publish(to: streams, at: start)
    for number in 1...streams { pace.take(at: start + time * number) }
    if let late { pace.take(at: start + late) }
    pace.publish(to: streams, at: start + .seconds(60))
    return pace.pause(for: streams)
  }

  @Test func `the pause is four times as long as the last change took`() {
    let pause = pause(streams: 500, each: .microseconds(30))
    #expect(pause >= .microseconds(30) * 4 * 500)
    #expect(pause <= .microseconds(31) * 4 * 500)
  }

  @Test func `the pause has limits`() {
    #expect(pause(streams: 500, each: .nanoseconds(1)) == .milliseconds(20))
    #expect(pause(streams: 500, each: .milliseconds(9)) == .milliseconds(200))
    #expect(pause(streams: 10_000, each: .milliseconds(9)) == .milliseconds(500))
    // Nothing was measured before the first change.
    #expect(StreamPace().pause(for: 500) == .milliseconds(20))
  }

  @Test func `few streams need no pause`() {
    #expect(pause(streams: 49, each: .milliseconds(9)) == .zero)
  }

  @Test func `one slow client hardly changes the pause`() {
    let usual = pause(streams: 500, each: .microseconds(30))
    #expect(pause(streams: 500, each: .microseconds(30), late: .seconds(30)) < usual * 1.2)
  }
}
