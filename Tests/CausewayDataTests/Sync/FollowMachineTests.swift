import CausewayData
import Testing

@testable import CausewaySync

struct FollowMachineTests {
  private let broken = RemoteFailure(.unreachable)

  /// A decision as a list, with the wake-up time only when it has changed.
  private enum Command: Equatable {
    case openHints
    case read
    case reached
    case wake(at: Duration?)
  }

  /// Lets an expectation call a mutating method.
  private final class Driver {
    private var machine: FollowMachine
    private var wake: Duration?

    init(poll: Duration? = nil) {
      machine = FollowMachine(
        table: RetryTable(
          backoff: Backoff(initial: .seconds(1), cap: .seconds(8), jitter: 0),
          rules: [.rejected: .reject]),
        pollInterval: poll)
    }

    var phase: SyncStatus.Phase { machine.phase }
    var lastError: RemoteFailure? { machine.lastError }
    var readsSoon: Bool { machine.readsSoon }

    @discardableResult
    func handle(_ event: FollowMachine.Event, at seconds: Int = 0) -> [Command] {
      handle(event, after: .seconds(seconds))
    }

    @discardableResult
    func handle(_ event: FollowMachine.Event, after now: Duration) -> [Command] {
      let decision = machine.handle(event, now: now)
      if event == .woken { wake = nil }
      defer { wake = decision.wake }
      return (decision.isReachedAgain ? [.reached] : [])
        + (decision.opensHints ? [.openHints] : []) + (decision.reads ? [.read] : [])
        + (decision.wake == wake ? [] : [.wake(at: decision.wake)])
    }
  }

  @Test func `the loop connects before it reads and misses no change in between`() {
    let machine = Driver()
    #expect(machine.phase == .idle)
    #expect(machine.handle(.began) == [.openHints, .read])
    #expect(machine.phase == .syncing)
    #expect(machine.handle(.readEnded(.success)).isEmpty)
    #expect(machine.phase == .upToDate)
  }

  @Test func `hints during a read cause one more read`() {
    let machine = Driver()
    machine.handle(.began)
    #expect(machine.handle(.connected(sends: false)).isEmpty)
    #expect(machine.handle(.hinted).isEmpty)
    #expect(machine.handle(.readEnded(.success)) == [.read])
    #expect(machine.handle(.readEnded(.success)).isEmpty)
  }

  @Test func `hints while mutations are pending share a read, and no hint is lost`() {
    let machine = Driver()
    let pause = FollowMachine.coverageInterval
    machine.handle(.began)
    machine.handle(.readEnded(.success))
    #expect(machine.handle(.connected(sends: true)) == [.wake(at: pause)])
    for _ in 0..<10 { #expect(machine.handle(.connected(sends: true)).isEmpty) }
    #expect(machine.handle(.woken, after: pause).contains(.read))
    #expect(machine.handle(.readEnded(.success), after: pause).isEmpty)
    // Without pending mutations a hint causes a read at once.
    #expect(machine.handle(.connected(sends: false), after: pause) == [.read])
  }

  @Test func `failures double the delay up to the maximum, and the first success resets it`() {
    let machine = Driver()
    machine.handle(.began)
    var now = 0
    for wait in [1, 2, 4, 8, 8, 8] {
      let failed = machine.handle(.readEnded(.failure(broken, random: 0)), at: now)
      #expect(failed == [.wake(at: .seconds(now + wait))])
      #expect(machine.phase == .offline)
      #expect(machine.lastError == broken)
      now += wait
      #expect(machine.handle(.woken, at: now) == [.read])
    }
    #expect(machine.handle(.readEnded(.success), at: now) == [.reached])
    #expect(machine.phase == .upToDate)
    #expect(machine.lastError == nil)
    machine.handle(.hinted, at: now)
    #expect(
      machine.handle(.readEnded(.failure(broken, random: 0)), at: now)
        == [.wake(at: .seconds(now + 1))])
  }

  @Test func `retryNow shortens a retry delay, and hints do not`() {
    let machine = Driver()
    machine.handle(.began)
    machine.handle(.readEnded(.failure(broken, random: 0)))
    for _ in 0..<100 { #expect(machine.handle(.hinted).isEmpty) }
    #expect(machine.handle(.retryRequested) == [.read, .wake(at: nil)])
  }

  @Test func `a rejected read is retried after the maximum delay`() {
    let machine = Driver()
    machine.handle(.began)
    let refused = FollowMachine.Outcome.failure(RemoteFailure(.rejected), random: 0)
    #expect(machine.handle(.readEnded(refused)) == [.wake(at: .seconds(8))])
  }

  @Test func `only a server without hints is polled`() {
    let machine = Driver(poll: .seconds(30))
    machine.handle(.began)
    machine.handle(.noHints)
    #expect(machine.handle(.readEnded(.success)) == [.wake(at: .seconds(30))])
    #expect(machine.handle(.woken, at: 30) == [.read])
    let other = Driver(poll: .seconds(30))
    other.handle(.began)
    other.handle(.connected(sends: false))
    #expect(other.handle(.readEnded(.success)) == [.read])
    #expect(other.handle(.readEnded(.success)).isEmpty)
  }

  @Test func `a hint stream that does not report its connection is polled, also the second time`() {
    let machine = Driver(poll: .seconds(30))
    machine.handle(.began)
    #expect(machine.handle(.readEnded(.success)) == [.wake(at: .seconds(30))])
    machine.handle(.connected(sends: false), at: 10)
    #expect(machine.handle(.readEnded(.success), at: 10).isEmpty)
    machine.handle(.disconnected(nil, random: 0), at: 20)
    #expect(machine.handle(.woken, at: 21) == [.openHints, .read])
    // The server may change data after this read and before it accepts the connection.
    #expect(machine.handle(.readEnded(.success), at: 21) == [.reached, .wake(at: .seconds(51))])
    #expect(machine.handle(.woken, at: 51) == [.read])
    #expect(machine.handle(.connected(sends: false), at: 52).isEmpty)
    #expect(machine.handle(.readEnded(.success), at: 53) == [.read])
    #expect(machine.handle(.readEnded(.success), at: 54).isEmpty)
  }

  @Test func `a lost hint stream reconnects after a growing delay and reads missed changes`() {
    let machine = Driver()
    machine.handle(.began)
    machine.handle(.connected(sends: false))
    machine.handle(.readEnded(.success))
    machine.handle(.readEnded(.success))
    #expect(machine.handle(.disconnected(nil, random: 0)) == [.wake(at: .seconds(1))])
    #expect(machine.phase == .offline)
    #expect(machine.handle(.woken, at: 1) == [.openHints, .read])
    machine.handle(.readEnded(.success), at: 1)
    #expect(machine.handle(.disconnected(broken, random: 0), at: 1) == [.wake(at: .seconds(3))])
    machine.handle(.woken, at: 3)
    machine.handle(.connected(sends: false), at: 3)
    machine.handle(.readEnded(.success), at: 3)
    machine.handle(.readEnded(.success), at: 3)
    #expect(machine.phase == .upToDate)
    #expect(machine.handle(.disconnected(broken, random: 0), at: 9) == [.wake(at: .seconds(10))])
  }

  @Test
  func `hint streams that break right after connecting reconnect with growing delays`() {
    let machine = Driver()
    machine.handle(.began)
    machine.handle(.readEnded(.success))
    var now = 0
    /// Connects for some seconds, and returns the decision at the connection's end.
    func connect(for seconds: Int) -> [Command] {
      // The connection counts from its first hint, so later hints change nothing.
      for second in [0, seconds] {
        machine.handle(.connected(sends: false), at: now + second)
        machine.handle(.readEnded(.success), at: now + second)
      }
      now += seconds
      return machine.handle(.disconnected(nil, random: 0), at: now)
    }
    for wait in [1, 2, 4, 8, 8] {
      #expect(connect(for: 0) == [.wake(at: .seconds(now + wait))])
      now += wait
      #expect(machine.handle(.woken, at: now) == [.openHints, .read])
      machine.handle(.readEnded(.success), at: now)
    }
    // The first connection is shorter than the last delay. The second one is as long as the delay.
    #expect(connect(for: 7) == [.wake(at: .seconds(now + 8))])
    now += 8
    machine.handle(.woken, at: now)
    machine.handle(.readEnded(.success), at: now)
    #expect(connect(for: 8) == [.wake(at: .seconds(now + 1))])
  }

  @Test func `an acknowledged mutation is kept when a read does not show it`() {
    let machine = following()
    #expect(machine.handle(.acknowledged) == [.read])
    var now = 0
    for wait in [1, 2, 4, 8, 8] {
      let ended = machine.handle(.readEnded(.behind(random: 0)), at: now)
      #expect(ended == [.wake(at: .seconds(now + wait))])
      #expect(machine.phase == .upToDate)
      now += wait
      #expect(machine.handle(.woken, at: now) == [.read])
    }
    // After a new mutation, the replica delay starts from its initial value.
    machine.handle(.readEnded(.behind(random: 0)), at: now)
    #expect(machine.handle(.acknowledged, at: now) == [.read, .wake(at: nil)])
    let behind = machine.handle(.readEnded(.behind(random: 0)), at: now)
    #expect(behind == [.wake(at: .seconds(now + 1))])
    now += 1
    #expect(machine.handle(.woken, at: now) == [.read])
    #expect(machine.handle(.readEnded(.success), at: now).isEmpty)
    // A read has shown the mutation, so the next delay starts from the initial value again.
    machine.handle(.hinted, at: now)
    let again = machine.handle(.readEnded(.behind(random: 0)), at: now)
    #expect(again == [.wake(at: .seconds(now + 1))])
  }

  @Test func `reads caused by hints neither wait for a replica nor increase the delay`() {
    let machine = following()
    machine.handle(.acknowledged)
    #expect(machine.handle(.readEnded(.behind(random: 0))) == [.wake(at: .seconds(1))])
    for _ in 0..<10 {
      #expect(machine.handle(.hinted) == [.read, .wake(at: nil)])
      #expect(machine.handle(.readEnded(.behind(random: 0))) == [.wake(at: .seconds(1))])
    }
  }

  @Test func `the replica delay never exceeds the polling interval`() {
    let machine = Driver(poll: .seconds(3))
    machine.handle(.began)
    machine.handle(.noHints)
    var now = 0
    for wait in [1, 2, 3, 3] {
      let ended = machine.handle(.readEnded(.behind(random: 0)), at: now)
      #expect(ended == [.wake(at: .seconds(now + wait))])
      now += wait
      machine.handle(.woken, at: now)
    }
  }

  @Test func `the delays after failures and for a replica do not add up`() {
    let machine = following()
    machine.handle(.acknowledged)
    machine.handle(.readEnded(.behind(random: 0)))
    machine.handle(.woken, at: 1)
    for (time, wait) in [(1, 1), (2, 2), (4, 4)] {
      let failed = machine.handle(.readEnded(.failure(broken, random: 0)), at: time)
      #expect(failed == [.wake(at: .seconds(time + wait))])
      #expect(machine.handle(.woken, at: time + wait) == [.read])
    }
    let behind = machine.handle(.readEnded(.behind(random: 0)), at: 8)
    #expect(behind == [.reached, .wake(at: .seconds(10))])
  }

  @Test func `mutations acknowledged one after the other share a read`() {
    let machine = following()
    #expect(machine.handle(.acknowledged) == [.read])
    machine.handle(.readEnded(.success))
    #expect(machine.handle(.acknowledged) == [.wake(at: .milliseconds(5))])
    #expect(machine.handle(.acknowledged, after: .milliseconds(3)).isEmpty)
    #expect(machine.handle(.woken, after: .milliseconds(5)) == [.read])
    machine.handle(.readEnded(.success), after: .milliseconds(6))
    // A read caused by a hint shows acknowledged mutations too.
    machine.handle(.acknowledged, after: .milliseconds(6))
    #expect(machine.handle(.hinted, after: .milliseconds(8)) == [.read, .wake(at: nil)])
    #expect(machine.handle(.readEnded(.success), after: .milliseconds(8)).isEmpty)
  }

  @Test func `the pauses between reads for acknowledged mutations grow to a quarter second`() {
    let machine = following()
    machine.handle(.acknowledged)
    var now = 0
    for pause in [5, 10, 20, 40, 80, 160, 250, 250] {
      machine.handle(.readEnded(.success), after: .milliseconds(now))
      let waits = machine.handle(.acknowledged, after: .milliseconds(now))
      #expect(waits == [.wake(at: .milliseconds(now + pause))])
      now += pause
      #expect(machine.handle(.woken, after: .milliseconds(now)) == [.read])
    }
    // After a time without mutations, the pauses are short again.
    machine.handle(.readEnded(.success), after: .milliseconds(now))
    now += 1_000
    #expect(machine.handle(.acknowledged, after: .milliseconds(now)) == [.read])
    machine.handle(.readEnded(.success), after: .milliseconds(now))
    let waits = machine.handle(.acknowledged, after: .milliseconds(now))
    #expect(waits == [.wake(at: .milliseconds(now + 5))])
  }

  @Test func `a read is expected soon while the engine follows a responding server`() {
    let machine = Driver()
    #expect(!machine.readsSoon)
    machine.handle(.began)
    #expect(machine.readsSoon)
    machine.handle(.readEnded(.failure(broken, random: 0)))
    #expect(!machine.readsSoon)
    machine.handle(.woken, at: 1)
    machine.handle(.readEnded(.success), at: 1)
    #expect(machine.readsSoon)
    machine.handle(.disconnected(nil, random: 0), at: 1)
    #expect(!machine.readsSoon)
  }

  /// A machine with an open hint stream, after its first read.
  private func following() -> Driver {
    let machine = Driver()
    machine.handle(.began)
    machine.handle(.connected(sends: false))
    machine.handle(.readEnded(.success))
    machine.handle(.readEnded(.success))
    return machine
  }

  @Test func `a cancelled read makes the status idle without an error`() {
    let machine = Driver()
    machine.handle(.readBegan)
    #expect(machine.phase == .syncing)
    #expect(machine.handle(.readEnded(.cancelled)).isEmpty)
    #expect(machine.phase == .idle)
    #expect(machine.lastError == nil)
  }
}
