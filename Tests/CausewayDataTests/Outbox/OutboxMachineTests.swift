import CausewayData
import Testing

@testable import CausewaySync

struct OutboxMachineTests {
  typealias Item = OutboxMachine.Item
  fileprivate static let table = RetryTable(
    backoff: Backoff(initial: .seconds(1), cap: .seconds(8), jitter: 0),
    rules: [.rejected: .reject, .unknown: .retry(limit: 2)])

  /// A decision as a list, with the wake-up time only when it has changed.
  private enum Command: Equatable {
    case store(OutboxMachine.Change)
    case load
    case send(Int64)
    case batch([Int64])
    case save([Int64])
    case wake(at: Duration?)
  }

  /// Lets an expectation call a mutating method.
  private final class Driver {
    private var machine: OutboxMachine
    private var wake: Duration?

    init(parallel: Int = 4) {
      machine = OutboxMachine(table: OutboxMachineTests.table, parallelScopes: parallel)
    }

    var count: Int { machine.count }
    func hold(_ sequence: Int64) -> Bool { machine.hold(sequence) }
    func noteOwn(_ sequence: Int64) { machine.noteOwn(sequence) }

    @discardableResult
    func handle(_ event: OutboxMachine.Event, now: Duration = .zero) -> [Command] {
      if event == .woken { wake = nil }
      return list(machine.handle(event, now: now))
    }

    func release(_ sequence: Int64, now: Duration) -> [Command] {
      list(machine.release(sequence, now: now))
    }

    func claim() -> [Int64] { machine.claimReceipts() }

    private func list(_ decision: OutboxMachine.Decision) -> [Command] {
      defer { wake = decision.wake }
      return [decision.change.map(Command.store)].compactMap(\.self)
        + (decision.loads ? [.load] : [])
        + decision.sends.map { $0.count == 1 ? Command.send($0[0]) : .batch($0) }
        + (decision.saves.isEmpty ? [] : [.save(decision.saves)])
        + (decision.wake == wake ? [] : [.wake(at: decision.wake)])
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

  /// Answers a send and stores its result.
  private func settle(
    _ machine: Driver, _ sequence: Int64, _ failure: RemoteFailure? = nil, now: Duration = .zero
  ) -> [Command] {
    if let failure {
      return machine.handle(.answered(sequence, .failure(failure, random: 0)), now: now)
        + machine.handle(.stored(sequence), now: now)
    }
    return machine.handle(.answered(sequence, .receipt(isReadSoon: false)), now: now)
      .flatMap { command in
        if case .save(let sequences) = command {
          return [command] + machine.handle(.saved(sequences), now: now)
        }
        return [command]
      }
  }

  private let receipt = OutboxMachine.Answer.receipt(isReadSoon: false)
  private let saveDelay = Command.wake(at: ReceiptSchedule.delay)

  @Test func `one scope is sent in order, one at a time`() {
    let machine = Driver()
    machine.handle(.registered("note"))
    #expect(machine.handle(.loaded([item(1), item(2)])) == [.send(1)])
    #expect(machine.handle(.loaded([item(3)])).isEmpty)
    #expect(machine.handle(.answered(1, receipt)) == [.send(2), saveDelay])
    #expect(machine.count == 2)
  }

  @Test func `scopes are sent concurrently up to the limit, oldest first`() {
    let machine = Driver(parallel: 2)
    machine.handle(.registered("note"))
    let items = [item(1, "a"), item(2, "b"), item(3, "c"), item(4, "a")]
    #expect(machine.handle(.loaded(items)) == [.send(1), .send(2)])
    #expect(settle(machine, 2).first == .send(3))
    #expect(settle(machine, 1).first == .send(4))
  }

  @Test func `requests without a time limit do not delay the others`() {
    let machine = Driver(parallel: 2)
    machine.handle(.registered("note"))
    machine.handle(.registered("file", limitsTime: false))
    let files = (1...3).map { Item(sequence: $0, collection: "file", scope: SyncScope("\($0)")) }
    #expect(machine.handle(.loaded(files)) == [.send(1), .send(2)])
    #expect(
      machine.handle(.loaded([item(4, "a"), item(5, "b"), item(6, "c")])) == [.send(4), .send(5)])
    #expect(settle(machine, 1).first == .send(3))
    #expect(settle(machine, 5).first == .send(6))
  }

  @Test func `a failure after progress does not count, and the waits begin again`() {
    let machine = machine([item(1)])
    var now = Duration.zero
    for _ in 1...3 {
      #expect(settle(machine, 1, RemoteFailure(.busy), now: now).count == 2)
      now += .seconds(8)
      #expect(machine.handle(.woken, now: now) == [.send(1)])
    }
    var failure = RemoteFailure(.unknown)
    failure.madeProgress = true
    for _ in 1...3 {
      #expect(
        settle(machine, 1, failure, now: now) == [
          .store(.retry(attempts: 1, after: .seconds(1), failure, counts: FailureCounts())),
          .wake(at: now + .seconds(1)),
        ])
      now += .seconds(1)
      #expect(machine.handle(.woken, now: now) == [.send(1)])
    }
  }

  @Test func `entries that are removed before they are loaded are not sent`() {
    let machine = machine([item(1)])
    machine.noteOwn(2)
    #expect(machine.handle(.gone([2, 3])).isEmpty)
    machine.noteOwn(3)
    #expect(machine.handle(.loaded([item(2, "b"), item(3, "c"), item(4, "d")])) == [.send(4)])
    #expect(machine.count == 2)
  }

  @Test func `entries that are removed together free the entries that require them`() {
    let machine = machine([item(1)])
    var last = item(6, "d")
    last.requires = [3, 5]
    machine.handle(.loaded([item(2), item(3), item(4), item(5), last]))
    #expect(machine.handle(.gone([3, 5])) == [.send(6)])
    #expect(settle(machine, 1).first == .send(2))
    #expect(settle(machine, 2).first == .send(4))
    #expect(machine.count == 2)
  }

  // MARK: Batches

  @Test func `the entries of a scope that one request takes are answered one by one`() {
    let machine = Driver()
    machine.handle(.registered("note", batchLimit: 3))
    #expect(machine.handle(.loaded((1...5).map { item($0) })) == [.batch([1, 2, 3])])
    #expect(machine.handle(.answered(1, receipt)) == [saveDelay])
    let refusal = RemoteFailure(.rejected)
    let refused = machine.handle(.answered(2, .failure(refusal, random: 0)))
    #expect(refused == [.store(.rejected(attempts: 1, refusal))])
    #expect(machine.handle(.stored(2)).isEmpty)
    // After the last answer the next batch is sent.
    #expect(machine.handle(.answered(3, receipt)).first == .batch([4, 5]))
    #expect(machine.count == 2)
  }

  @Test func `the entries behind a failure that is retried wait for it`() {
    let machine = Driver()
    machine.handle(.registered("note", batchLimit: 3))
    machine.handle(.loaded((1...3).map { item($0) }))
    machine.handle(.answered(1, receipt))
    // The receipt of the first entry is stored, because nothing else is being sent.
    #expect(settle(machine, 2, RemoteFailure(.busy)).last == .save([1]))
    #expect(machine.handle(.woken, now: .seconds(1)).first == .batch([2, 3]))
    // The server did not process the third entry.
    machine.handle(.answered(2, receipt), now: .seconds(1))
    #expect(machine.handle(.unanswered(3), now: .seconds(1)).first == .send(3))
  }

  @Test func `the entries of a failed batch are sent one by one, and later ones in batches again`()
  {
    let machine = Driver()
    machine.handle(.registered("note", batchLimit: 2))
    machine.handle(.loaded((1...4).map { item($0) }))
    machine.handle(.split(1))
    #expect(machine.handle(.unanswered(1)) == [.send(1)])
    #expect(machine.handle(.answered(1, receipt)).first == .send(2))
    #expect(machine.handle(.answered(2, receipt)).first == .batch([3, 4]))
  }

  @Test func `a batch that takes too long becomes smaller, and larger again after answers in time`()
  {
    let machine = Driver()
    machine.handle(.registered("note", batchLimit: 4))
    #expect(machine.handle(.loaded((1...40).map { item($0) })) == [.batch([1, 2, 3, 4])])
    machine.handle(.split(1, isTimeout: true))
    #expect(machine.handle(.unanswered(1)) == [.batch([1, 2])])
    machine.handle(.split(1, isTimeout: true))
    #expect(machine.handle(.unanswered(1)) == [.send(1)])
    for sequence in 1...7 as ClosedRange<Int64> {
      #expect(machine.handle(.answered(sequence, receipt)).contains(.send(sequence + 1)))
    }
    var next: Int64 = 10
    #expect(machine.handle(.answered(8, receipt)).contains(.batch([9, 10])))
    for _ in 0..<7 {
      machine.handle(.answered(next - 1, receipt))
      let commands = machine.handle(.answered(next, receipt))
      #expect(commands.contains(.batch([next + 1, next + 2])))
      next += 2
    }
    machine.handle(.answered(23, receipt))
    #expect(machine.handle(.answered(24, receipt)).contains(.batch([25, 26, 27, 28])))
  }

  @Test func `a batch contains only entries of one collection`() {
    let machine = Driver()
    machine.handle(.registered("note", batchLimit: 10))
    machine.handle(.registered("task", batchLimit: 10))
    let task = Item(sequence: 3, collection: "task", scope: "a")
    #expect(machine.handle(.loaded([item(1), item(2), task, item(4)])) == [.batch([1, 2])])
    machine.handle(.answered(1, receipt))
    #expect(machine.handle(.answered(2, receipt)).first == .send(3))
    #expect(machine.handle(.answered(3, receipt)).first == .send(4))
  }

  // MARK: Dependencies

  @Test func `an entry waits until the entries that it requires are answered`() {
    var comment = item(2, "b")
    comment.requires = [1]
    let machine = self.machine([item(1), comment, item(3, "c")])
    #expect(settle(machine, 3) == [saveDelay])
    let busy = RemoteFailure(.busy)
    #expect(!settle(machine, 1, busy).contains(.send(2)))
    machine.handle(.woken, now: .seconds(1))
    #expect(machine.handle(.answered(1, receipt), now: .seconds(1)).contains(.send(2)))
  }

  @Test func `an entry that requires an entry of its own batch is sent after it`() {
    var second = item(2)
    second.requires = [1]
    let machine = Driver()
    machine.handle(.registered("note", batchLimit: 10))
    #expect(machine.handle(.loaded([item(1), second, item(3)])) == [.send(1)])
    #expect(machine.handle(.answered(1, receipt)).first == .batch([2, 3]))
  }

  // MARK: Receipts

  @Test func `a receipt is stored at once when no further response is expected`() {
    let machine = self.machine([item(1)])
    #expect(machine.handle(.answered(1, receipt)) == [.save([1])])
    #expect(machine.handle(.saved([1])).isEmpty)
  }

  @Test func `receipts are batched while entries are sent`() {
    let batch = Int64(ReceiptSchedule.batchSize)
    let machine = self.machine((1...batch + 1).map { item($0) })
    for sequence in 1..<batch {
      #expect(machine.handle(.answered(sequence, receipt)).first == .send(sequence + 1))
    }
    let full = machine.handle(.answered(batch, receipt))
    #expect(full == [.send(batch + 1), .save(Array(1...batch)), .wake(at: nil)])
    // A receipt that arrives during the save is stored by the next save.
    #expect(machine.handle(.answered(batch + 1, receipt)).isEmpty)
    #expect(machine.handle(.saved(Array(1...batch))) == [.save([batch + 1])])
  }

  @Test func `a receipt waits a short time for an expected read`() {
    let machine = self.machine([item(1), item(2, "b")])
    let soon = OutboxMachine.Answer.receipt(isReadSoon: true)
    #expect(machine.handle(.answered(1, soon)) == [saveDelay])
    #expect(machine.handle(.woken, now: ReceiptSchedule.delay) == [.save([1])])
    machine.handle(.saved([1]), now: .seconds(2))
    // The expected read stores the receipt.
    machine.handle(.answered(2, soon), now: .seconds(2))
    #expect(machine.claim() == [2])
    #expect(machine.handle(.saved([2]), now: .seconds(2)) == [.wake(at: nil)])
  }

  @Test func `stored receipts do not move the time of other receipts`() {
    let machine = self.machine([item(1), item(2)])
    machine.handle(.answered(1, .receipt(isReadSoon: true)))
    #expect(machine.handle(.saved([]), now: .milliseconds(900)).isEmpty)
    #expect(machine.handle(.woken, now: ReceiptSchedule.delay).first == .save([1]))
  }

  @Test func `a receipt is stored at once when its expected read fails`() {
    let soon = OutboxMachine.Answer.receipt(isReadSoon: true)
    let asked = self.machine([item(1)])
    asked.handle(.answered(1, soon))
    #expect(asked.handle(.readFailed([1])) == [.save([1]), .wake(at: nil)])
    let claimed = self.machine([item(1)])
    claimed.handle(.answered(1, soon))
    #expect(claimed.claim() == [1])
    #expect(claimed.handle(.readFailed([1])) == [.wake(at: nil)])
    #expect(claimed.handle(.unclaimed([1])) == [.save([1])])
  }

  @Test func `a receipt that could not be stored is stored later without sending its entry again`()
  {
    let machine = self.machine([item(1), item(2)])
    machine.handle(.answered(1, receipt))
    #expect(machine.handle(.answered(2, receipt)) == [.save([1, 2]), .wake(at: nil)])
    let failed = machine.handle(.notSaved([1, 2], random: 0))
    #expect(failed == [.wake(at: .seconds(1))])
    #expect(machine.handle(.woken, now: .seconds(1)) == [.save([1, 2])])
    let again = machine.handle(.notSaved([1, 2], random: 0), now: .seconds(1))
    #expect(again == [.wake(at: .seconds(3))])
    let requested = machine.handle(.retryRequested, now: .seconds(2))
    #expect(requested == [.save([1, 2]), .wake(at: nil)])
    #expect(machine.handle(.saved([1, 2]), now: .seconds(2)).isEmpty)
    #expect(machine.count == 0)
  }

  @Test func `the success of other receipts does not end the wait of a receipt that failed`() {
    let machine = self.machine([item(1)])
    machine.handle(.answered(1, receipt))
    var due = [Duration.seconds(1), .seconds(3), .seconds(7)]
    var now = Duration.zero
    for other in Int64(2)...4 {
      #expect(machine.handle(.notSaved([1], random: 0), now: now).last == .wake(at: due[0]))
      machine.handle(.loaded([item(other)]), now: now)
      // The other receipt is stored alone, and the first one continues to wait.
      #expect(machine.handle(.answered(other, receipt), now: now).first == .save([other]))
      #expect(machine.handle(.saved([other]), now: now).last == .wake(at: due[0]))
      now = due.removeFirst()
      #expect(machine.handle(.woken, now: now) == [.save([1])])
    }
  }

  @Test func `a read does not claim a receipt that could not be stored`() {
    let machine = self.machine([item(1), item(2)])
    let soon = OutboxMachine.Answer.receipt(isReadSoon: true)
    machine.handle(.answered(1, receipt))
    machine.handle(.answered(2, soon))
    #expect(machine.claim().isEmpty)
    machine.handle(.notSaved([1], random: 0))
    machine.handle(.unclaimed([2]))
    #expect(!machine.claim().contains(1))
  }

  // MARK: Failures

  @Test func `a failure delays only its own scope, with doubling delays`() {
    let machine = self.machine([item(1, "a"), item(2, "a"), item(3, "b")])
    let failure = RemoteFailure(.unreachable)
    let counts = FailureCounts(text: "unreachable 1")
    #expect(
      settle(machine, 1, failure) == [
        .store(.retry(attempts: 1, after: .seconds(1), failure, counts: counts)),
        .wake(at: .seconds(1)),
      ])
    #expect(settle(machine, 3) == [.save([3])])
    #expect(machine.handle(.woken, now: .milliseconds(999)) == [.wake(at: .seconds(1))])
    #expect(machine.handle(.woken, now: .seconds(1)) == [.send(1)])
    #expect(settle(machine, 1, failure, now: .seconds(1)).last == .wake(at: .seconds(3)))
    #expect(machine.handle(.retryRequested, now: .seconds(2)) == [.send(1), .wake(at: nil)])
  }

  @Test func `a retry requested while a failure is stored starts without delay`() {
    let machine = self.machine([item(1)])
    let failure = RemoteFailure(.unreachable)
    machine.handle(.answered(1, .failure(failure, random: 0)))
    #expect(machine.handle(.retryRequested, now: .zero).isEmpty)
    #expect(machine.handle(.stored(1), now: .zero) == [.send(1)])
    // The request shortened only that delay. Later delays stay the same.
    #expect(settle(machine, 1, failure).last == .wake(at: .seconds(2)))
  }

  @Test func `a rejected entry does not block the next entry`() {
    let machine = self.machine([item(1), item(2)])
    #expect(
      settle(machine, 1, RemoteFailure(.rejected)) == [
        .store(.rejected(attempts: 1, RemoteFailure(.rejected))), .send(2),
      ])
  }

  @Test func `a limit counts the failures of its own kind only`() {
    let machine = self.machine([item(1)])
    var now = Duration.zero
    func fail(_ kind: RemoteFailure.Kind) -> OutboxMachine.Change? {
      defer {
        now += .seconds(10)
        _ = machine.handle(.woken, now: now)
      }
      guard case .store(let change)? = settle(machine, 1, RemoteFailure(kind), now: now).first
      else { return nil }
      return change
    }
    for _ in 0..<10 { #expect(fail(.unreachable) != nil) }
    guard case .retry(attempts: 11, _, _, let counts) = fail(.unknown) else {
      Issue.record("The first failure of its kind ended the entry.")
      return
    }
    #expect(counts.text == "unknown 1,unreachable 10")
    #expect(fail(.unreachable) != nil)
    #expect(fail(.unknown) == .rejected(attempts: 13, RemoteFailure(.unknown)))
  }

  @Test func `counts of failures are read as they were written`() {
    #expect(FailureCounts(text: "") == FailureCounts())
    let counts = FailureCounts(text: "garbled 3,newer 7,timedOut 2,broken")
    #expect(counts.text == "garbled 3,timedOut 2")
    #expect(FailureCounts(text: counts.text) == counts)
  }

  @Test func `a failure that could not be stored uses up no attempt`() {
    let machine = self.machine([item(1)])
    for round in 0..<5 {
      let now = Duration.seconds(round * 10)
      machine.handle(.answered(1, .failure(RemoteFailure(.unknown), random: 0)), now: now)
      let commands = machine.handle(.notStored(1, random: 0), now: now)
      #expect(commands == [.wake(at: now + .seconds(1))])
      #expect(machine.handle(.woken, now: now + .seconds(1)) == [.send(1)])
    }
    #expect(machine.count == 1)
  }

  @Test func `entries of a collection without a sender do not block their scope`() {
    let machine = Driver()
    let early = Item(sequence: 1, collection: "later", scope: "a")
    let unknown = Item(sequence: 3, collection: "later", scope: "a")
    machine.handle(.registered("note"), now: .zero)
    let loaded = machine.handle(.loaded([early, item(2), unknown, item(4)]), now: .zero)
    #expect(loaded == [.send(2)])
    #expect(settle(machine, 2).first == .send(4))
    // Entries with a sender keep the order of their scope across collections.
    #expect(machine.handle(.registered("later"), now: .zero).isEmpty)
    machine.handle(.loaded([item(5)]), now: .zero)
    #expect(settle(machine, 4).first == .send(1))
    #expect(settle(machine, 1).first == .send(3))
    #expect(settle(machine, 3).first == .send(5))
  }

  @Test func `a failed load of entries is retried with growing delays`() {
    let machine = self.machine()
    #expect(machine.handle(.notLoaded(random: 0), now: .zero) == [.wake(at: .seconds(1))])
    #expect(machine.handle(.woken, now: .seconds(1)) == [.load])
    let again = machine.handle(.notLoaded(random: 0), now: .seconds(1))
    #expect(again == [.wake(at: .seconds(3))])
    #expect(machine.handle(.loaded([item(1)]), now: .seconds(2)) == [.send(1), .wake(at: nil)])
    #expect(machine.handle(.notLoaded(random: 0), now: .seconds(2)) == [.wake(at: .seconds(3))])
    #expect(machine.handle(.reset, now: .seconds(2)) == [.wake(at: nil)])
  }

  @Test func `entries of a collection wait until a sender is registered`() {
    let machine = Driver()
    #expect(machine.handle(.loaded([item(1), item(2, "b")]), now: .zero).isEmpty)
    let commands = machine.handle(.registered("note"), now: .zero)
    #expect(commands == [.send(1), .send(2)])
  }

  @Test func `an entry loaded twice is sent once`() {
    let machine = self.machine([item(1), item(2)])
    machine.handle(.loaded([item(1), item(2)]), now: .zero)
    #expect(machine.count == 2)
  }

  @Test func `the response to a request of an ended session changes nothing`() {
    let machine = self.machine([item(1)])
    machine.handle(.reset, now: .zero)
    #expect(machine.handle(.answered(1, receipt)).isEmpty)
    #expect(machine.handle(.stored(1), now: .zero).isEmpty)
    #expect(machine.count == 0)
  }

  @Test func `only entries that were never sent can be held`() {
    let machine = self.machine([item(1), item(2)])
    // The entry was loaded from the file, so an earlier run may have sent it.
    #expect(!machine.hold(2))
    machine.noteOwn(3)
    #expect(machine.hold(3))
    machine.handle(.loaded([item(3)]), now: .zero)
    _ = settle(machine, 1)
    #expect(!settle(machine, 2).contains(.send(3)))
    #expect(machine.release(3, now: .zero) == [.send(3)])
    #expect(!machine.hold(3))
  }

  @Test func `the entry after an undone entry is sent`() {
    let machine = self.machine()
    machine.noteOwn(1)
    #expect(machine.hold(1))
    #expect(machine.handle(.loaded([item(1), item(2)]), now: .zero).isEmpty)
    #expect(machine.handle(.gone([1]), now: .zero) == [.send(2)])
  }
}
