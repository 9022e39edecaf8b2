import Synchronization

@testable import CausewayWeb

/// The time of a server, which stands still until the test advances it.
final class TestTime: Sendable {
  private let instant = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { instant.withLock { $0 } }

  /// Advances the time, and makes the server end unused sessions and send heartbeats.
  func advance(by duration: Duration, _ server: WebServer) {
    instant.withLock { $0 += duration }
    server.tend()
  }
}

extension WebServerConfiguration {
  /// Makes the limits use the time of the test.
  mutating func use(_ time: TestTime) { now = { time.now } }
}
