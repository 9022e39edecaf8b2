import CausewayStreams

/// Stores several receipts in one transaction.
extension Outbox {
  /// Stores the receipts that no transaction is storing yet, and waits for the other transactions.
  ///
  /// - Returns: `false` if there were no receipts, or only receipts that could not be stored alone.
  func saveReceipts() async -> Bool {
    let sequences = machine.claimReceipts()
    await save(sequences)
    guard machine.isSaving else { return !sequences.isEmpty }
    let waiter = Waiter<Void>()
    receiptWaiters.append(waiter)
    await waiter.value { $0.resume() }
    return true
  }

  /// Stores receipts in one transaction; if that fails, each receipt gets its own transaction.
  func save(_ sequences: [Int64]) async {
    plannedSaves.subtract(sequences)
    guard let ticket = driver.ticket else { return }
    let batch = receipts[sequences]
    finish(batch, await journal.saveEach(batch, as: ticket), as: ticket)
  }

  private func finish(
    _ batch: [OutboxReceipt], _ results: [Result<Bool, any Error>], as ticket: SessionTicket
  ) {
    guard ticket == driver.ticket else { return }
    var stored: [OutboxReceipt] = []
    for (receipt, result) in zip(batch, results) {
      switch result {
      case .success: stored.append(receipt)
      case .failure:
        handle(.notSaved([receipt.entry.sequence], random: driver.environment.random()))
      }
    }
    noteStored(stored)
    for (receipt, result) in zip(batch, results) {
      switch result {
      case .success(let isCovered):
        registry.tell(.saved(isCovered: isCovered), about: receipt.entry)
      case .failure(let error):
        registry.tell(.failed(RemoteFailure(error)), about: receipt.entry)
      }
    }
  }

  private func noteStored(_ batch: [OutboxReceipt]) {
    receipts.remove(batch)
    handle(.saved(batch.map(\.entry.sequence)))
    for end in batch where end.receipt == .final {
      registry.end(end.entry.collection, end.entry.account, end.entry.key, end.entry.payload)
    }
  }

  /// The entries of a scope whose receipts name no version and are not stored.
  func unversionedReceipts(_ collection: String, _ scope: SyncScope) -> [Int64] {
    receipts[Array(receipts.sequences(of: collection, scope))]
      .filter { $0.receipt == .coveredByNextRead }.map(\.entry.sequence)
  }

  /// Runs a transaction that first stores the receipts of a scope.
  ///
  /// Receipts that another transaction is storing are left out. If the receipts cannot be stored,
  /// each gets its own transaction, so that one bad receipt does not make all reads fail.
  func write<T: Sendable>(
    as ticket: SessionTicket, withReceiptsOf collection: String, _ scope: SyncScope,
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    let claimed =
      ticket == driver.ticket
      ? machine.claimReceipts(receipts.sequences(of: collection, scope)) : []
    let batch = receipts[claimed]
    do {
      let value = try await persistence.write(as: ticket) { transaction in
        do {
          _ = try transaction.store(batch)
        } catch {
          throw ReceiptsNotStored()
        }
        return try body(transaction)
      }
      if ticket == driver.ticket { noteStored(batch) }
      return value
    } catch is ReceiptsNotStored {
      finish(batch, await journal.saveEach(batch, as: ticket), as: ticket)
      return try await persistence.write(as: ticket, body)
    } catch {
      if ticket == driver.ticket { handle(.unclaimed(claimed)) }
      throw error
    }
  }

  /// Stores the receipts of a scope soon, because the read that should have stored them failed.
  func readFailed(_ collection: String, _ scope: SyncScope) {
    handle(.readFailed(Array(receipts.sequences(of: collection, scope))))
  }
}
