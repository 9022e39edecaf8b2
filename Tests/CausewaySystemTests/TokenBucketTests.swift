import CausewaySystem
import Testing

@Suite struct `A token bucket` {
  private let start = ContinuousClock.now

  @Test func `allows a burst and then the configured rate`() {
    var bucket = TokenBucket(rate: 10, burst: 3, now: start)
    for _ in 0..<3 { #expect(bucket.take(now: start) == nil) }
    #expect(bucket.take(now: start) == .seconds(0.1))
    #expect(bucket.take(now: start + .milliseconds(100)) == nil)
    #expect(bucket.take(now: start + .milliseconds(100)) != nil)
    for _ in 0..<3 { #expect(bucket.take(now: start + .seconds(60)) == nil) }
    #expect(bucket.take(now: start + .seconds(60)) != nil)
  }

  @Test func `gives several tokens at once or none, and a full bucket is always enough`() {
    var bucket = TokenBucket(rate: 1, burst: 10, now: start)
    #expect(bucket.take(8, now: start) == nil)
    #expect(bucket.take(5, now: start) == .seconds(3))
    #expect(bucket.take(2, now: start) == nil)
    #expect(bucket.take(1_000, now: start) == .seconds(10))
    #expect(bucket.take(1_000, now: start + .seconds(10)) == nil)
    #expect(bucket.level(now: start + .seconds(10)) == 0)
  }

  @Test func `loses nothing when the time goes back`() {
    var bucket = TokenBucket(rate: 1, burst: 2, now: start)
    #expect(bucket.take(now: start) == nil)
    #expect(bucket.take(now: start - .seconds(60)) == nil)
    #expect(bucket.take(now: start - .seconds(60)) == .seconds(1))
  }
}
