import CausewayData
import CausewayWeb
import Synchronization

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
  /// Learns that the database is lost, once, and that it is back.
  let note: @Sendable (BackendEvent) -> Void
  private let availability = Availability()

  private final class Availability: Sendable { let isLost = Atomic(false) }

  init(
    store: any PersistenceService, report: @escaping @Sendable (any Error) -> Void,
    note: @escaping @Sendable (BackendEvent) -> Void
  ) {
    (self.store, self.report, self.note) = (store, report, note)
  }

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
      let value = try await body()
      if availability.isLost.load(ordering: .relaxed),
        availability.isLost.exchange(false, ordering: .relaxed)
      {
        note(.databaseBack)
      }
      return value
    } catch let error as PersistenceError {
      switch error.kind {
      case .encoding:
        throw Problem.badRequest(
          "The request contains a text that the database cannot store, such as a NUL character.")
      case .busy, .unavailable, .outcomeUnknown:
        if error.kind != .busy, !availability.isLost.exchange(true, ordering: .relaxed) {
          note(.databaseLost(reason: "\(error)"))
        }
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
