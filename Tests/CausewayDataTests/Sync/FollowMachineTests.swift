import Testing

@testable import CausewayData

struct FollowMachineTests {
  private let broken = RemoteFailure(.unreachable)

  /// Lets expectations call what mutates.
  private final class Driver {
    private var machine: FollowMachine

    init(poll: Duration? = nil) {
      machine = FollowMachine(
        table: RetryTable(
          backoff: Backoff(initial: .seconds(1), cap: .seconds(8), jitter: 0),
          rules: [.rejected: .reject]),
        pollInterval: poll)
    }

    var phase: SyncStatus.Phase { machine.phase }
    var lastError: RemoteFailure? { machine.lastError }

    @discardableResult
    func handle(_ event: FollowMachine.Event, at seconds: Int = 0) -> [FollowMachine.Command] {
      machine.handle(event, now: .seconds(seconds))
    }
  }

  @Test func `it connects before it reads, so that no change falls in between`() {
    let machine = Driver()
    #expect(machine.phase == .idle)
    #expect(machine.handle(.began) == [.openHints, .read])
    #expect(machine.phase == .syncing)
    #expect(machine.handle(.readEnded(.success)).isEmpty)
    #expect(machine.phase == .upToDate)
  }

  @Test func `hints during a read lead to one more read`() {
    let machine = Driver()
    machine.handle(.began)
    #expect(machine.handle(.connected).isEmpty)
    #expect(machine.handle(.hinted).isEmpty)
    #expect(machine.handle(.readEnded(.success)) == [.read])
    #expect(machine.handle(.readEnded(.success)).isEmpty)
  }

  @Test func `failures double the wait up to the cap, and the first success ends them`() {
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

  @Test func `hints do not cut a wait short, hurrying does`() {
    let machine = Driver()
    machine.handle(.began)
    machine.handle(.readEnded(.failure(broken, random: 0)))
    for _ in 0..<100 { #expect(machine.handle(.hinted).isEmpty) }
    #expect(machine.handle(.hurried) == [.read, .wake(at: nil)])
  }

  @Test func `a refused read is tried again no sooner than at the cap`() {
    let machine = Driver()
    machine.handle(.began)
    let refused = FollowMachine.Outcome.failure(RemoteFailure(.rejected), random: 0)
    #expect(machine.handle(.readEnded(refused)) == [.wake(at: .seconds(8))])
  }

  @Test func `a server without hints is polled, one with hints is not`() {
    let machine = Driver(poll: .seconds(30))
    machine.handle(.began)
    machine.handle(.noHints)
    #expect(machine.handle(.readEnded(.success)) == [.wake(at: .seconds(30))])
    #expect(machine.handle(.woken, at: 30) == [.read])
    let other = Driver(poll: .seconds(30))
    other.handle(.began)
    other.handle(.connected)
    #expect(other.handle(.readEnded(.success)) == [.read])
    #expect(other.handle(.readEnded(.success)).isEmpty)
  }

  @Test func `lost hints are connected again after a growing wait, and what was missed is read`() {
    let machine = Driver()
    machine.handle(.began)
    machine.handle(.connected)
    machine.handle(.readEnded(.success))
    machine.handle(.readEnded(.success))
    #expect(machine.handle(.disconnected(nil, random: 0)) == [.wake(at: .seconds(1))])
    #expect(machine.phase == .offline)
    #expect(machine.handle(.woken, at: 1) == [.openHints, .read])
    machine.handle(.readEnded(.success), at: 1)
    #expect(machine.handle(.disconnected(broken, random: 0), at: 1) == [.wake(at: .seconds(3))])
    machine.handle(.woken, at: 3)
    machine.handle(.connected, at: 3)
    machine.handle(.readEnded(.success), at: 3)
    machine.handle(.readEnded(.success), at: 3)
    #expect(machine.phase == .upToDate)
    #expect(machine.handle(.disconnected(broken, random: 0), at: 9) == [.wake(at: .seconds(10))])
  }

  @Test func `a read that was given up says nothing about the server`() {
    let machine = Driver()
    machine.handle(.readBegan)
    #expect(machine.phase == .syncing)
    #expect(machine.handle(.readEnded(.cancelled)).isEmpty)
    #expect(machine.phase == .idle)
    #expect(machine.lastError == nil)
  }
}
