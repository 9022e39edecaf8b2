import Foundation

extension Outbox {
  /// A request that has begun.
  private struct Sending: Sendable {
    let entry: OutboxEntry
    let ticket: SessionTicket
    let route: OutboxRoute
    let attempt: Attempt
    let timeout: Duration
    let environment: SyncEnvironment
  }

  /// Sends an entry, stores what came of it, and tells.
  static func send(_ sequence: Int64, _ find: @Sendable () -> Outbox?) async {
    guard let sending = await find()?.begin(sequence) else { return }
    let answer: OutboxMachine.Answer
    do {
      let receipt = try await sending.attempt.perform(
        timeout: sending.timeout, sending.environment
      ) {
        try await sending.ticket.run { try await sending.route.send(sending.entry) }
      }
      answer = .receipt(receipt)
    } catch {
      // Given up from outside: the session or the outbox has ended, and nobody wants an answer.
      if Task.isCancelled || !sending.ticket.isCurrent { return }
      answer = .failure(RemoteFailure(error))
    }
    await find()?.settle(sending, answer)
  }

  private func begin(_ sequence: Int64) async -> Sending? {
    guard let ticket else { return nil }
    let attempt = Attempt()
    attempts[sequence] = attempt
    do {
      let entry = try await persistence.read {
        try $0.outboxEntry(sequence, of: ticket.account)
      }
      guard ticket == self.ticket else { return nil }
      guard let entry, entry.state == .waiting, let route = route(for: entry.collection) else {
        attempts[sequence] = nil
        handle(.gone(sequence))
        return nil
      }
      return Sending(
        entry: entry, ticket: ticket, route: route, attempt: attempt, timeout: timeout,
        environment: environment)
    } catch {
      guard ticket == self.ticket else { return nil }
      attempts[sequence] = nil
      handle(.notStored(sequence, random: environment.random()))
      return nil
    }
  }

  private func settle(_ sending: Sending, _ answer: OutboxMachine.Answer) async {
    let sequence = sending.entry.sequence
    guard sending.ticket == ticket else { return }
    attempts[sequence] = nil
    guard let change = handle(.answered(sequence, answer, random: environment.random())) else {
      return
    }
    do {
      let told = try await store(change, sending)
      guard sending.ticket == ticket else { return }
      handle(.stored(sequence))
      tell(told, about: sending.entry)
    } catch {
      guard sending.ticket == ticket else { return }
      // The server's answer is lost on us. The same key is sent again.
      handle(.notStored(sequence, random: environment.random()))
      tell(.failed(RemoteFailure(error)), about: sending.entry)
    }
  }

  /// Writes down what came of a send, with its effect on the rows.
  private func store(
    _ change: OutboxMachine.Change, _ sending: Sending
  ) async throws -> OutboxChange {
    let (entry, route, date) = (sending.entry, sending.route, environment.date())
    let limit = deadLetterLimit
    let (told, tooMany) = try await persistence.write(
      as: sending.ticket
    ) { transaction -> (OutboxChange, [DeadLetter]) in
      switch change {
      case .acknowledged(let receipt):
        if try Self.isDone(receipt, entry, route, transaction) {
          try transaction.removeEntry(entry.sequence)
          try route.show(entry, transaction)
          return (.acknowledged(isCovered: true), [])
        }
        try transaction.acknowledgeEntry(entry.sequence, version: receipt.version)
        return (.acknowledged(isCovered: false), [])
      case .retry(let attempts, let delay, let failure):
        try transaction.postponeEntry(
          entry.sequence, attempts: attempts, until: date.addingTimeInterval(delay / .seconds(1)))
        return (.failed(failure), [])
      case .rejected(let attempts, let failure):
        try transaction.buryEntry(entry.sequence, attempts: attempts, failure, on: date)
        try route.show(entry, transaction)
        let tooMany = try transaction.dropDeadLetters(
          of: entry.account, beyond: limit, except: entry.sequence)
        return (.rejected(failure), tooMany)
      }
    }
    if case .rejected(let attempts, let failure) = change {
      let letter = DeadLetter(entry, attempts: attempts, failure, on: date)
      rejected.send(letter, beginning: nil)
    }
    for letter in tooMany { dropped.send(letter, beginning: nil) }
    return told
  }

  private static func isDone(
    _ receipt: MutationReceipt, _ entry: OutboxEntry, _ route: OutboxRoute,
    _ transaction: any ReadTransaction
  ) throws(PersistenceError) -> Bool {
    switch receipt {
    case .final: true
    case .coveredByNextRead: false
    case .covered(by: let version): try route.isCovered(entry, version, transaction)
    }
  }
}

extension MutationReceipt {
  fileprivate var version: SyncVersion? {
    if case .covered(by: let version) = self { version } else { nil }
  }
}

extension DeadLetter {
  fileprivate init(_ entry: OutboxEntry, attempts: Int, _ failure: RemoteFailure, on date: Date) {
    self.init(
      sequence: entry.sequence, key: entry.key, account: entry.account,
      collection: entry.collection, scope: entry.scope, kind: entry.kind, payload: entry.payload,
      attempts: attempts, created: entry.created, rejected: date, reason: failure.kind,
      message: failure.message)
  }
}
