/// Sends changes to the server and stores what it answers.
///
/// ```swift
/// let result = await writer.write(operation, returning: Activity.self) { activity, transaction in
///   try transaction.upsert(activity, into: "activity")
/// }
/// ```
///
/// Reads that depend on what a write changes go to the network afterwards, also if nobody knows
/// whether the server has done what it was asked. For changes that have to survive a restart and
/// show at once, use an outbox.
public struct DataWriter: Sendable {
  private let network: any NetworkService
  private let persistence: any PersistenceService
  private let session: (any SessionServiceProtocol)?
  private let freshness: DataFreshness

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - network: Where changes go.
  ///   - persistence: Where answers are stored.
  ///   - session: The session whose account owns the data; `nil` in an app without accounts.
  ///   - freshness: What is out of date; that of the readers of the same data.
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

  /// Sends a change and ignores the content of the answer.
  ///
  /// - Returns: Nothing, or why it failed. The same operation may be sent again.
  public func write<Body>(_ operation: WriteOperation<Body>) async -> Result<Void, DataError> {
    await write(operation, returning: NoContent.self) { _, _ in }.map { _ in }
  }

  /// Sends a change and stores the answer.
  ///
  /// - Parameters:
  ///   - operation: The change.
  ///   - type: The type of the answer.
  ///   - store: Stores the answer, in one transaction with marking what is out of date. Not called
  ///     if the session has ended meanwhile.
  /// - Returns: The answer, or why it failed. The same operation may be sent again.
  public func write<Body, Response: Decodable & Sendable>(
    _ operation: WriteOperation<Body>,
    returning type: Response.Type = Response.self,
    store: @escaping @Sendable (Response, any WriteTransaction) throws -> Void
  ) async -> Result<Response, DataError> {
    do {
      var ticket: SessionTicket?
      if let session {
        ticket = session.current
        if ticket == nil { throw SessionError.signedOut }
      }
      let response = try await ticket.run { try await send(operation, type) }
      let (checked, freshness) = (ticket, freshness)
      try await persistence.write { transaction in
        try checked?.check()
        // Reads that were answered before this commit see that they are out of date.
        freshness.invalidate(operation.invalidates)
        if !(response is NoContent) { try store(response, transaction) }
      }
      return .success(response)
    } catch {
      return .failure(DataError(error))
    }
  }

  private func send<Body, Response: Decodable & Sendable>(
    _ operation: WriteOperation<Body>, _ type: Response.Type
  ) async throws -> Response {
    do {
      let response = try await network.value(for: operation.call(returning: type))
      freshness.invalidate(operation.invalidates)
      return response
    } catch {
      if Self.mayHaveHappened(error) { freshness.invalidate(operation.invalidates) }
      throw error
    }
  }

  /// Whether the server may have done what it was asked, although the call has failed.
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
