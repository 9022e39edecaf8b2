extension PersistenceService {
  /// Runs a closure in a transaction, if the session of a ticket goes on when it begins.
  ///
  /// A logout that comes meanwhile waits for the transaction and then wipes what it stored.
  ///
  /// - Throws: `SessionError.ended` without running the closure; otherwise as `write` does.
  @discardableResult
  public func write<T: Sendable>(
    as ticket: SessionTicket,
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    try await write { transaction in
      try ticket.check()
      return try body(transaction)
    }
  }
}
