extension PersistenceService {
  /// Runs a closure in a transaction, if the session of a ticket is current when it begins.
  ///
  /// A logout during the transaction waits for it, and then removes the stored rows.
  ///
  /// - Throws: `SessionError.ended` without running the closure; otherwise the errors of `write`.
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
