import Testing

@testable import CausewayWeb

/// When the memory of ended sessions returns to the system.
struct FreedSessionsTests {
  private let start = ContinuousClock.now

  @Test func `is due once, ten seconds after a hundred sessions have ended`() {
    var freed = FreedSessions()
    // The macro cannot call a mutating method.
    func isDue(_ seconds: Int) -> Bool { freed.takeDue(now: start + .seconds(seconds)) }
    for second in 0..<99 { freed.count(1, now: start + .seconds(second)) }
    #expect(!isDue(3600))
    freed.count(1, now: start + .seconds(100))
    freed.count(200, now: start + .seconds(105))
    #expect(!isDue(109))
    #expect(isDue(110))
    #expect(!isDue(3600))
    freed.count(100, now: start + .seconds(3600))
    #expect(isDue(3610))
  }
}
