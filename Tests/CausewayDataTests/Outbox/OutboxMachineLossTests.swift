import CausewayData
import Testing

@testable import CausewaySync

/// The times at which the outbox sends after it could not reach the server.
struct OutboxMachineLossTests {
  private let broken = RemoteFailure(.unreachable)

  /// A machine with one entry in each of two scopes, which are being sent.
  private func sending() -> OutboxMachine {
    var machine = OutboxMachine(
      table: RetryTable(
        backoff: Backoff(initial: .seconds(1), cap: .seconds(300), jitter: 0), rules: [:]),
      parallelScopes: 4)
    _ = machine.handle(.registered("note"), now: .zero)
    let decision = machine.handle(
      .loaded([
        OutboxMachine.Item(sequence: 1, collection: "note", scope: "a"),
        OutboxMachine.Item(sequence: 2, collection: "note", scope: "b"),
      ]), now: .zero)
    #expect(decision.sends == [[1], [2]])
    return machine
  }

  private func fail(
    _ sequence: Int64, _ failure: RemoteFailure, _ machine: inout OutboxMachine,
    now: Duration = .zero
  ) {
    _ = machine.handle(.answered(sequence, .failure(failure, random: 0)), now: now)
    _ = machine.handle(.stored(sequence), now: now)
  }

  /// A machine whose first entry has failed for some seconds.
  private func lost() -> (machine: OutboxMachine, now: Duration) {
    var machine = sending()
    var now = Duration.zero
    for _ in 0..<4 {
      fail(1, broken, &machine, now: now)
      now = machine.handle(.woken, now: now).wake ?? now
      _ = machine.handle(.woken, now: now)
    }
    fail(1, broken, &machine, now: now)
    return (machine, now)
  }

  @Test func `an answer to one scope ends the waits of all scopes after a loss`() {
    var (machine, now) = lost()
    let answer = machine.handle(.answered(2, .receipt(isReadSoon: false)), now: now)
    #expect(answer.isReachedAgain)
    #expect(answer.sends == [[1]])
    // The next failure is not a loss, because the server has just answered.
    now += .seconds(1)
    fail(1, broken, &machine, now: now)
    let loaded = machine.handle(
      .loaded([OutboxMachine.Item(sequence: 3, collection: "note", scope: "b")]), now: now)
    #expect(loaded.sends == [[3]])
    #expect(machine.handle(.answered(3, .receipt(isReadSoon: false)), now: now).sends.isEmpty)
  }

  @Test func `a refusal is an answer too`() {
    var (machine, now) = lost()
    let refused = Self.refusal
    let answer = machine.handle(.answered(2, .failure(refused, random: 0)), now: now)
    #expect(answer.isReachedAgain)
    #expect(answer.sends == [[1]])
  }

  private static let refusal = RemoteFailure(.busy, retryAfter: .seconds(60))

  @Test func `a reachable server ends the wait after a loss, but not the wait for a busy server`() {
    var machine = sending()
    fail(2, Self.refusal, &machine)
    fail(1, broken, &machine)
    let decision = machine.handle(.reached, now: .milliseconds(1))
    #expect(decision.sends == [[1]])
    #expect(!decision.isReachedAgain)
    #expect(decision.wake == .seconds(60))
  }

  @Test func `contact with the server while the failure is being stored is not lost`() {
    var machine = sending()
    _ = machine.handle(.answered(1, .failure(broken, random: 0)), now: .zero)
    _ = machine.handle(.reached, now: .zero)
    #expect(machine.handle(.stored(1), now: .zero).sends == [[1]])
  }

  @Test func `contact with the server ends no wait if there was no loss`() {
    var machine = sending()
    fail(1, broken, &machine)
    #expect(machine.handle(.reached, now: .zero).sends == [[1]])
    fail(2, Self.refusal, &machine)
    for _ in 0..<10 { #expect(machine.handle(.reached, now: .zero).sends.isEmpty) }
  }

  @Test func `no wait after a loss is longer than 15 seconds`() {
    var machine = sending()
    var now = Duration.zero
    for _ in 0..<30 {
      fail(1, broken, &machine, now: now)
      let wake = machine.handle(.woken, now: now).wake
      #expect(wake.map { $0 - now <= .seconds(15) } == true)
      now = wake ?? now
      #expect(machine.handle(.woken, now: now).sends == [[1]])
    }
  }
}
