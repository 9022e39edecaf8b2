public import CausewayBasics

extension PersistenceService {
  /// Runs a closure in a transaction if the session of a ticket is current.
  ///
  /// A logout during the transaction waits until it ends, and then removes the stored rows.
  ///
  /// - Throws: `SessionError.ended` if the session is not current when the transaction begins; in
  ///   this case, the closure is not called. Also the errors of `write`.
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

  /// Removes the remains of the rows that a session's participant has deleted.
  ///
  /// At a sign-in, this keeps damaged files that were set aside.
  ///
  /// - Parameter wipe: The data that was deleted.
  /// - Throws: The errors of ``eraseDeleted()``.
  public func erase(after wipe: SessionParticipant.Wipe) async throws {
    switch wipe {
    case .only: try await eraseDeleted()
    case .allExcept: try await eraseMarked()
    }
  }
}
