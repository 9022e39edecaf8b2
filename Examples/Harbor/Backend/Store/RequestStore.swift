import CausewayData
import CausewayWeb

/// The store of the routes: its failures become answers that a device understands.
///
/// Devices repeat a request after an answer with status 503. Each change of a collection has a key,
/// so a repetition is safe even if the outcome of the first request is unknown. A repeated sign-up
/// can find that its name is taken, and the person can then sign in. A repeated invitation or
/// picture leaves an unused one, which is removed later.
struct RequestStore: PersistenceService {
  let store: any PersistenceService
  /// Receives the failures of the database.
  let report: @Sendable (any Error) -> Void

  func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    try await answering { try await store.read(body) }
  }

  @discardableResult
  func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    try await answering { try await store.write(body) }
  }

  func observe<T: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: T.Type
  ) -> LiveQuery<T> {
    store.observe(query, as: type)
  }

  func eraseDeleted() async throws { try await store.eraseDeleted() }
  func eraseMarked() async throws { try await store.eraseMarked() }
  func close() async throws(PersistenceError) { try await store.close() }

  private func answering<T>(_ body: () async throws -> T) async throws -> T {
    do {
      return try await body()
    } catch let error as PersistenceError {
      switch error.kind {
      case .encoding:
        throw Problem.badRequest(
          "The request contains a text that the database cannot store, such as a NUL character.")
      case .busy, .unavailable, .outcomeUnknown:
        report(error)
        throw Problem(
          .serviceUnavailable, code: "database-unavailable",
          detail: "The server cannot reach its database. Send the request again later.",
          headers: ["Retry-After": "1"])
      default: throw error
      }
    }
  }
}
