import CausewayData
import Testing

@testable import CausewaySync

/// The status of an engine while its server cannot be reached, and after that.
struct FollowMachineLossTests {
  private let broken = RemoteFailure(.unreachable)
  private let silent = RemoteFailure(.timedOut)

  /// A machine with an open hint stream since 0, after its first read.
  private func following() -> FollowMachine {
    var machine = FollowMachine(
      table: RetryTable(
        backoff: Backoff(initial: .seconds(1), cap: .seconds(300), jitter: 0), rules: [:]),
      pollInterval: .seconds(60))
    _ = machine.handle(.began, now: .zero)
    _ = machine.handle(.readEnded(.success), now: .zero)
    _ = machine.handle(.connected(sends: false), now: .zero)
    _ = machine.handle(.readEnded(.success), now: .zero)
    return machine
  }

  @Test func `the status is offline from the loss of the stream until the server answers`() {
    var machine = following()
    #expect(machine.phase == .upToDate)
    _ = machine.handle(.disconnected(silent, random: 0), now: .seconds(100))
    #expect(machine.phase == .offline)
    // An attempt is not an answer.
    let attempt = machine.handle(.woken, now: .seconds(101))
    #expect(attempt.opensHints && attempt.reads)
    #expect(machine.phase == .offline)
    _ = machine.handle(.readEnded(.success), now: .seconds(101))
    #expect(machine.phase == .upToDate)
  }

  @Test func `the success of a read that began before the loss does not end the loss`() {
    var machine = following()
    _ = machine.handle(.hinted, now: .seconds(99))
    _ = machine.handle(.disconnected(silent, random: 0), now: .seconds(100))
    _ = machine.handle(.readEnded(.success), now: .seconds(100))
    #expect(machine.phase == .offline)
  }

  @Test func `a stream that ends after a long time is opened again at once, without a loss`() {
    var machine = following()
    let decision = machine.handle(.disconnected(nil, random: 0), now: .seconds(60))
    #expect(decision.opensHints && decision.reads)
    #expect(machine.phase == .syncing)
    _ = machine.handle(.readEnded(.failure(broken, random: 0)), now: .seconds(60))
    #expect(machine.phase == .offline)
  }

  @Test func `the engine waits as long as a failed stream asks for`() {
    var machine = following()
    let closed = RemoteFailure(.unreachable, retryAfter: .seconds(5))
    let decision = machine.handle(.disconnected(closed, random: 0), now: .seconds(60))
    #expect(!decision.opensHints)
    #expect(decision.wake == .seconds(65))
  }

  @Test func `a new stream ends the wait of a read that could not reach the server`() {
    var machine = following()
    _ = machine.handle(.disconnected(broken, random: 0), now: .seconds(1))
    var now = Duration.seconds(2)
    // Reads fail for a while, so the next one is due late.
    for _ in 0..<6 {
      let decision = machine.handle(.woken, now: now)
      if decision.reads {
        _ = machine.handle(.readEnded(.failure(broken, random: 0)), now: now)
      }
      if decision.opensHints { _ = machine.handle(.disconnected(broken, random: 0), now: now) }
      now = machine.handle(.woken, now: now).wake ?? now
    }
    let back = machine.handle(.connected(sends: true), now: now)
    #expect(back.reads)
    #expect(back.isReachedAgain)
  }

  @Test func `contact of another part with the server ends the waits after a loss`() {
    var machine = following()
    _ = machine.handle(.disconnected(broken, random: 0), now: .seconds(1))
    let decision = machine.handle(.reached, now: .milliseconds(1_001))
    #expect(decision.opensHints && decision.reads)
    #expect(!decision.isReachedAgain)
  }

  @Test func `contact with the server does not end the wait after a refusal`() {
    var machine = following()
    let busy = FollowMachine.Outcome.failure(
      RemoteFailure(.busy, retryAfter: .seconds(120)), random: 0)
    _ = machine.handle(.hinted, now: .seconds(1))
    #expect(machine.handle(.readEnded(busy), now: .seconds(1)).wake == .seconds(121))
    #expect(!machine.handle(.reached, now: .seconds(2)).reads)
  }

  @Test func `a server that answers reads but opens no stream is not offline`() {
    var machine = following()
    _ = machine.handle(.disconnected(broken, random: 0), now: .seconds(1))
    var now = Duration.seconds(2)
    for _ in 0..<8 {
      let decision = machine.handle(.woken, now: now)
      if decision.reads { _ = machine.handle(.readEnded(.success), now: now) }
      if decision.opensHints { _ = machine.handle(.disconnected(broken, random: 0), now: now) }
      #expect(machine.phase == .upToDate)
      now = machine.handle(.woken, now: now).wake ?? now + .seconds(1)
    }
  }

  @Test func `no wait after a loss is longer than 15 seconds`() {
    var machine = following()
    var now = Duration.seconds(1)
    _ = machine.handle(.disconnected(broken, random: 1), now: now)
    for _ in 0..<50 {
      let decision = machine.handle(.woken, now: now)
      if decision.reads { _ = machine.handle(.readEnded(.failure(broken, random: 1)), now: now) }
      if decision.opensHints { _ = machine.handle(.disconnected(broken, random: 1), now: now) }
      let wake = machine.handle(.woken, now: now).wake
      #expect(wake.map { $0 - now <= .seconds(15) } == true)
      now = wake ?? now
    }
  }
}
