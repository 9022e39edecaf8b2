import CausewayBasics
import CausewayDatabase

extension PostgresService {
  /// Runs a transaction until it succeeds, or fails with an error that a repetition cannot resolve.
  func repeating<T: Sendable>(
    _ attempt: (_ deadline: ContinuousClock.Instant) async throws -> Attempt<T>
  ) async throws -> (value: T, changes: CommittedChanges) {
    let start = ContinuousClock.now
    let reconnected = start + configuration.reconnectTimeout
    // Transactions that have collided wait for different times.
    let backoff = Backoff(initial: .milliseconds(1), cap: .milliseconds(64), jitter: 1)
    var tries = 0
    while true {
      switch try await attempt(reconnected) {
      case .success(let value, let changes):
        return (value, changes)
      case .uncertain(_, _, let error):
        throw PersistenceError(
          .outcomeUnknown, code: error.code, extendedCode: error.extendedCode,
          message: "The connection ended during the commit: \(error.message)")
      case .failure(let error, let cause):
        // The body may have thrown its own error in place of the server's error.
        guard let cause, !(error is CancellationError) else { throw error }
        let limit: ContinuousClock.Instant
        if cause.isTransient {
          limit = start + configuration.busyTimeout
        } else if cause.kind == .unavailable {
          limit = reconnected
        } else {
          throw error
        }
        tries += 1
        let pause = backoff.delay(afterAttempts: tries, random: .random(in: 0...1))
        guard .now + pause < limit else { throw cause }
        try await Task.sleep(for: pause)
      }
    }
  }

  /// Finds out whether a transaction is stored, after its connection ended during the commit.
  ///
  /// The identifier alone does not prove it: after a crash, the server may give the identifier of a
  /// lost transaction to another transaction. The token in the change log distinguishes them.
  func resolve<T: Sendable>(
    _ value: T, _ changes: CommittedChanges, token: String?, after error: PersistenceError
  ) async throws -> Attempt<T> {
    let uncertain = Attempt.uncertain(value, changes, error)
    guard let log, let identifier = changes.identifier, let token else { return uncertain }
    let deadline = ContinuousClock.now + configuration.reconnectTimeout
    let backoff = Backoff(initial: .milliseconds(5), cap: .milliseconds(200))
    // The task may be cancelled, but the caller still needs the outcome.
    return await Task { [pool] in
      var tries = 0
      while true {
        do {
          let row = try await pool.withSession(until: deadline) { session in
            try await session.run(log.outcome, [.text(identifier), .text(token)])
          }.first
          switch (row?[0], row?[1]) {
          case ("in progress", _): break
          case ("committed", "t"):
            var known = changes
            known.tables = nil
            return .success(value, known)
          case ("aborted", _), ("committed", "f"):
            // The entries of another transaction prove that the server has lost this transaction.
            return .failure(error, cause: .unavailable(error.message))
          default: return uncertain
          }
        } catch let error as PersistenceError where error.sqlState == "22023" {
          // The identifier is unknown to the server, so the server has not stored the transaction.
          return .failure(error, cause: .unavailable(error.message))
        } catch let error as PersistenceError where error.kind == .unavailable {
        } catch {
          return uncertain
        }
        tries += 1
        let pause = backoff.delay(afterAttempts: tries)
        guard .now + pause < deadline else { return uncertain }
        try? await Task.sleep(for: pause)
      }
    }.value
  }
}
