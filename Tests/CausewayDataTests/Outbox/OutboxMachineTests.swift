import Testing

@testable import CausewayData

struct OutboxMachineTests {
  typealias Item = OutboxMachine.Item
  fileprivate static let table = RetryTable(
    backoff: Backoff(initial: .seconds(1), cap: .seconds(8), jitter: 0),
    rules: [.rejected: .reject, .unknown: .retry(limit: 2)])

  /// Lets expectations call what mutates.
  private final class Driver {
    private var machine: OutboxMachine

    init(parallel: Int = 4) {
      machine = OutboxMachine(table: OutboxMachineTests.table, parallelScopes: parallel)
    }

    var count: Int { machine.count }
    func hold(_ sequence: Int64) -> Bool { machine.hold(sequence) }
    func noteOwn(_ sequence: Int64) { machine.noteOwn(sequence) }

    @discardableResult
    func handle(_ event: OutboxMachine.Event, now: Duration) -> [OutboxMachine.Command] {
      machine.handle(event, now: now)
    }

    func release(_ sequence: Int64, now: Duration) -> [OutboxMachine.Command] {
      machine.release(sequence, now: now)
    }
  }

  private func machine(_ items: [Item] = []) -> Driver {
    let machine = Driver()
    machine.handle(.registered("note"), now: .zero)
    machine.handle(.loaded(items), now: .zero)
    return machine
  }

  private func item(_ sequence: Int64, _ scope: SyncScope = "a") -> Item {
    Item(sequence: sequence, collection: "note", scope: scope)
  }

  private func settle(
    _ machine: Driver, _ sequence: Int64, _ answer: OutboxMachine.Answer,
    now: Duration = .zero
  ) -> [OutboxMachine.Command] {
    machine.handle(.answered(sequence, answer, random: 0), now: now)
      + machine.handle(.stored(sequence), now: now)
  }

  @Test func `one scope is sent in order, one at a time`() {
    let machine = Driver()
    machine.handle(.registered("note"), now: .zero)
    #expect(machine.handle(.loaded([item(1), item(2)]), now: .zero) == [.send(1)])
    #expect(machine.handle(.loaded([item(3)]), now: .zero).isEmpty)
    let stored = machine.handle(.answered(1, .receipt(.final), random: 0), now: .zero)
    #expect(stored == [.store(1, .acknowledged(.final))])
    #expect(machine.handle(.stored(1), now: .zero) == [.send(2)])
    #expect(machine.count == 2)
  }

  @Test func `scopes are sent beside each other, but not more than allowed, oldest first`() {
    let machine = Driver(parallel: 2)
    machine.handle(.registered("note"), now: .zero)
    let items = [item(1, "a"), item(2, "b"), item(3, "c"), item(4, "a")]
    #expect(machine.handle(.loaded(items), now: .zero) == [.send(1), .send(2)])
    #expect(settle(machine, 2, .receipt(.final)).last == .send(3))
    #expect(settle(machine, 1, .receipt(.final)).last == .send(4))
  }

  @Test func `a failure waits, doubles, and holds back only its own scope`() {
    let machine = self.machine([item(1, "a"), item(2, "a"), item(3, "b")])
    let failure = OutboxMachine.Answer.failure(RemoteFailure(.unreachable))
    #expect(
      settle(machine, 1, failure) == [
        .store(1, .retry(attempts: 1, after: .seconds(1), RemoteFailure(.unreachable))),
        .wake(at: .seconds(1)),
      ])
    #expect(settle(machine, 3, .receipt(.final)) == [.store(3, .acknowledged(.final))])
    #expect(machine.handle(.woken, now: .milliseconds(999)) == [.wake(at: .seconds(1))])
    #expect(machine.handle(.woken, now: .seconds(1)) == [.send(1)])
    #expect(settle(machine, 1, failure, now: .seconds(1)).last == .wake(at: .seconds(3)))
    #expect(machine.handle(.retryRequested, now: .seconds(2)) == [.send(1), .wake(at: nil)])
  }

  @Test func `a retry that is requested while a failure is being stored does not wait`() {
    let machine = self.machine([item(1)])
    let failure = OutboxMachine.Answer.failure(RemoteFailure(.unreachable))
    machine.handle(.answered(1, failure, random: 0), now: .zero)
    #expect(machine.handle(.retryRequested, now: .zero).isEmpty)
    #expect(machine.handle(.stored(1), now: .zero) == [.send(1)])
    // Only that wait was cut short, not the ones that follow.
    #expect(settle(machine, 1, failure).last == .wake(at: .seconds(2)))
  }

  @Test func `a rejected entry does not block the one behind it`() {
    let machine = self.machine([item(1), item(2)])
    let answer = OutboxMachine.Answer.failure(RemoteFailure(.rejected))
    #expect(
      settle(machine, 1, answer) == [
        .store(1, .rejected(attempts: 1, RemoteFailure(.rejected))), .send(2),
      ])
  }

  @Test func `an answer that could not be stored is asked for again, and uses up no attempt`() {
    let machine = self.machine([item(1)])
    for round in 0..<5 {
      let now = Duration.seconds(round * 10)
      machine.handle(.answered(1, .receipt(.final), random: 0), now: now)
      let commands = machine.handle(.notStored(1, random: 0), now: now)
      #expect(commands == [.wake(at: now + .seconds(1))])
      #expect(machine.handle(.woken, now: now + .seconds(1)) == [.send(1)])
    }
    #expect(machine.count == 1)
  }

  @Test func `entries of a collection that nobody sends let the others of their scope pass`() {
    let machine = Driver()
    let early = Item(sequence: 1, collection: "later", scope: "a")
    let unknown = Item(sequence: 3, collection: "later", scope: "a")
    machine.handle(.registered("note"), now: .zero)
    let loaded = machine.handle(.loaded([early, item(2), unknown, item(4)]), now: .zero)
    #expect(loaded == [.send(2)])
    #expect(settle(machine, 2, .receipt(.final)).last == .send(4))
    // Those that are registered keep the order of their scope, whatever their collection.
    #expect(machine.handle(.registered("later"), now: .zero).isEmpty)
    machine.handle(.loaded([item(5)]), now: .zero)
    #expect(settle(machine, 4, .receipt(.final)).last == .send(1))
    #expect(settle(machine, 1, .receipt(.final)).last == .send(3))
    #expect(settle(machine, 3, .receipt(.final)).last == .send(5))
  }

  @Test func `what could not be loaded is loaded later, after longer and longer waits`() {
    let machine = self.machine()
    #expect(machine.handle(.notLoaded(random: 0), now: .zero) == [.wake(at: .seconds(1))])
    #expect(machine.handle(.woken, now: .seconds(1)) == [.load])
    let again = machine.handle(.notLoaded(random: 0), now: .seconds(1))
    #expect(again == [.wake(at: .seconds(3))])
    #expect(machine.handle(.loaded([item(1)]), now: .seconds(2)) == [.send(1), .wake(at: nil)])
    #expect(machine.handle(.notLoaded(random: 0), now: .seconds(2)) == [.wake(at: .seconds(3))])
    #expect(machine.handle(.reset, now: .seconds(2)) == [.wake(at: nil)])
  }

  @Test func `entries of a collection wait until somebody sends them`() {
    let machine = Driver()
    #expect(machine.handle(.loaded([item(1), item(2, "b")]), now: .zero).isEmpty)
    let commands = machine.handle(.registered("note"), now: .zero)
    #expect(commands == [.send(1), .send(2)])
  }

  @Test func `an entry that was loaded twice is sent once`() {
    let machine = self.machine([item(1), item(2)])
    machine.handle(.loaded([item(1), item(2)]), now: .zero)
    #expect(machine.count == 2)
  }

  @Test func `the answer to a request of an ended session changes nothing`() {
    let machine = self.machine([item(1)])
    machine.handle(.reset, now: .zero)
    #expect(machine.handle(.answered(1, .receipt(.final), random: 0), now: .zero).isEmpty)
    #expect(machine.handle(.stored(1), now: .zero).isEmpty)
    #expect(machine.count == 0)
  }

  @Test func `only what was never sent can be held`() {
    let machine = self.machine([item(1), item(2)])
    // Loaded from the file: an earlier run may have sent it.
    #expect(!machine.hold(2))
    machine.noteOwn(3)
    #expect(machine.hold(3))
    machine.handle(.loaded([item(3)]), now: .zero)
    _ = settle(machine, 1, .receipt(.final))
    #expect(!settle(machine, 2, .receipt(.final)).contains(.send(3)))
    #expect(machine.release(3, now: .zero) == [.send(3)])
    #expect(!machine.hold(3))
  }

  @Test func `the entry behind one that was undone is sent`() {
    let machine = self.machine()
    machine.noteOwn(1)
    #expect(machine.hold(1))
    #expect(machine.handle(.loaded([item(1), item(2)]), now: .zero).isEmpty)
    #expect(machine.handle(.gone(1), now: .zero) == [.send(2)])
  }
}
