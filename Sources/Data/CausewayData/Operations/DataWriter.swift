public import CausewayBasics
public import CausewayDatabase
public import CausewayNetwork

/// Sends changes to the server and stores the responses.
///
/// ```swift
/// let result = await writer.write(operation, returning: Activity.self) { activity, transaction in
///   try transaction.upsert(activity, into: "activity")
/// }
/// ```
///
/// After a write, reads that depend on the changed data use the network. This also applies if a
/// write failed but the server may have performed it. Use an outbox for changes that must survive a
/// restart and be visible at once.
public struct DataWriter: Sendable {
  private let network: any NetworkService
  private let persistence: any PersistenceService
  private let session: (any SessionServiceProtocol)?
  private let freshness: DataFreshness

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - network: Sends the changes.
  ///   - persistence: The database that stores responses.
  ///   - session: The session whose account owns the data; `nil` in an app without accounts.
  ///   - freshness: Records which data is out of date. Share it with the readers of the same data.
  public init(
    network: any NetworkService,
    persistence: any PersistenceService,
    session: (any SessionServiceProtocol)? = nil,
    freshness: DataFreshness
  ) {
    self.network = network
    self.persistence = persistence
    self.session = session
    self.freshness = freshness
  }

  /// Sends a change and ignores the content of the response.
  ///
  /// - Returns: Success, or the error. The same operation can be sent again after an error.
  public func write<Body>(_ operation: WriteOperation<Body>) async -> Result<Void, DataError> {
    await write(operation, returning: NoContent.self) { _, _ in }.map { _ in }
  }

  /// Sends a change and stores the response.
  ///
  /// - Parameters:
  ///   - operation: The change.
  ///   - type: The type of the response.
  ///   - store: Stores the response, in the transaction that marks data as out of date. It is not
  ///     called if the session has ended in the meantime.
  /// - Returns: The response, or the error. The same operation can be sent again after an error.
  public func write<Body, Response: Decodable & Sendable>(
    _ operation: WriteOperation<Body>,
    returning type: Response.Type = Response.self,
    store: @escaping @Sendable (Response, any WriteTransaction) throws -> Void
  ) async -> Result<Response, DataError> {
    let tags = operation.invalidates
    let ticket: SessionTicket?
    let response: Response
    do {
      ticket = try self.ticket()
    } catch {
      return .failure(DataError(error))
    }
    do {
      response = try await ticket.run {
        let response = try await network.value(for: operation.call(returning: type))
        freshness.mark(tags)
        return response
      }
    } catch {
      if Self.mayHaveHappened(error) { freshness.invalidate(tags) }
      return .failure(DataError(error))
    }
    // Observers are called once, after the transaction. The server has performed the change even if
    // the response cannot be stored.
    defer { freshness.notify(tags) }
    do {
      let freshness = freshness
      try await persistence.write { transaction in
        try ticket?.check()
        // Reads that ended before this commit are now marked as out of date.
        freshness.mark(tags)
        if !(response is NoContent) { try store(response, transaction) }
      }
      return .success(response)
    } catch {
      return .failure(DataError(error))
    }
  }

  private func ticket() throws -> SessionTicket? {
    guard let session else { return nil }
    guard let ticket = session.current else { throw SessionError.signedOut }
    return ticket
  }

  /// Whether the server may have performed the change although the call has failed.
  private static func mayHaveHappened(_ error: any Error) -> Bool {
    guard let error = error as? NetworkError else { return true }
    switch error.kind {
    case .invalidRequest, .notConnected, .cannotConnect, .insecure, .encoding, .notSignedIn,
      .tokenUnavailable, .file:
      return false
    case .status:
      return error.status.map { $0 >= 500 } ?? true
    case .connectionLost, .timedOut, .closed, .redirect, .tooLarge, .contentType, .decoding,
      .eventStream, .malformed, .other:
      return true
    }
  }
}
