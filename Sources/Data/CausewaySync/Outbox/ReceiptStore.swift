import CausewayBasics
import CausewayDatabase

/// Stores the receipts of an outbox, several in one transaction.
///
/// It belongs to the outbox's actor, and its functions run there. It passes the results to the
/// outbox's machine, which decides when each receipt is stored.
final class ReceiptStore {
  /// Passes an event to the outbox's machine.
  typealias Report = (OutboxMachine.Event) -> Void

  private let journal: OutboxJournal
  private let registry: OutboxRegistry
  private let loop: ActorLoop<Outbox>
  private var unstored = UnstoredReceipts()
  /// Receipts that the loop must store and has not begun to store.
  private var planned: Set<Int64> = []
  /// Callers that wait until all transactions that are storing receipts have ended.
  private var waiters: [Waiter<Void>] = []

  init(_ journal: OutboxJournal, _ registry: OutboxRegistry, _ loop: ActorLoop<Outbox>) {
    (self.journal, self.registry, self.loop) = (journal, registry, loop)
  }

  var isEmpty: Bool { unstored.isEmpty }
  var hasWaiters: Bool { !waiters.isEmpty }

  func sequences(of collection: String, _ scope: SyncScope) -> Set<Int64> {
    unstored.sequences(of: collection, scope)
  }

  /// The entries of a scope whose receipts name no version.
  func unversioned(_ collection: String, _ scope: SyncScope) -> [Int64] {
    unstored[Array(sequences(of: collection, scope))]
      .filter { $0.receipt == .coveredByNextRead }.map(\.entry.sequence)
  }

  func add(_ receipt: OutboxReceipt) { unstored.add(receipt) }

  /// Records that the loop must store receipts.
  func plan(_ sequences: [Int64]) { planned.formUnion(sequences) }

  /// Returns the entries whose receipts the loop has not begun to store, and never will.
  func takePlanned() -> Set<Int64> {
    defer { planned = [] }
    return planned
  }

  /// Removes all receipts; the waiters stay.
  func removeAll() { (unstored, planned) = (UnstoredReceipts(), []) }

  /// Waits for ``resumeWaiters()``.
  func wait() async {
    let waiter = Waiter<Void>()
    waiters.append(waiter)
    await waiter.value { $0.resume() }
  }

  func resumeWaiters() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// Stores receipts in one transaction; if that fails, each receipt gets its own transaction.
  func save(_ sequences: [Int64], _ report: Report) async {
    planned.subtract(sequences)
    guard let ticket = loop.ticket else { return }
    await saveEach(unstored[sequences], as: ticket, report)
  }

  private func saveEach(
    _ batch: [OutboxReceipt], as ticket: SessionTicket, _ report: Report
  ) async {
    let results = await journal.saveEach(batch, as: ticket)
    guard ticket == loop.ticket else { return }
    // After a cancellation, it is unknown whether the receipts can be stored. The next transaction
    // may store them.
    let isCancelled = Task.isCancelled
    for case (let receipt, .failure) in zip(batch, results) {
      report(
        isCancelled
          ? .unclaimed([receipt.entry.sequence])
          : .notSaved([receipt.entry.sequence], random: loop.surroundings.random()))
    }
    noteStored(zip(batch, results).compactMap { (try? $1.get()) == nil ? nil : $0 }, report)
    for (receipt, result) in zip(batch, results) {
      switch result {
      case .success(let isCovered):
        registry.tell(.saved(isCovered: isCovered), about: receipt.entry)
      case .failure(let error):
        if !isCancelled { registry.tell(.failed(RemoteFailure(error)), about: receipt.entry) }
      }
    }
  }

  private func noteStored(_ batch: [OutboxReceipt], _ report: Report) {
    unstored.remove(batch)
    report(.saved(batch.map(\.entry.sequence)))
    for end in batch where end.receipt == .final {
      registry.end(end.entry.collection, end.entry.account, end.entry.key, end.entry.payload)
    }
  }

  /// Runs a transaction that first stores receipts.
  ///
  /// If the receipts cannot be stored, each gets its own transaction. Otherwise one bad receipt
  /// would make all reads fail.
  ///
  /// - Parameter claimed: The receipts, which no other transaction is storing.
  func write<T: Sendable>(
    as ticket: SessionTicket, storing claimed: [Int64], _ report: Report,
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    let batch = unstored[claimed]
    do {
      let value = try await journal.persistence.write(as: ticket) { transaction in
        do { _ = try transaction.store(batch) } catch { throw ReceiptsNotStored() }
        return try body(transaction)
      }
      if ticket == loop.ticket { noteStored(batch, report) }
      return value
    } catch is ReceiptsNotStored {
      await saveEach(batch, as: ticket, report)
      return try await journal.persistence.write(as: ticket, body)
    } catch {
      if ticket == loop.ticket { report(.unclaimed(claimed)) }
      throw error
    }
  }
}

/// Thrown if the transaction of a read could not store the receipts of its scope.
private struct ReceiptsNotStored: Error {}
