public import CausewayDatabase
import CausewayWeb
import Synchronization

/// A store for routes; while the database cannot be reached, requests get status 503.
///
/// A write also gets this status while the disk is full. Every request gets it while the database
/// file is moved, damaged or not writable. Clients send a request again after that answer. So a
/// route whose change must not happen twice keeps a receipt; see ``Receipts``. A text that the
/// database cannot store is answered with 400.
public struct RequestStore: PersistenceService {
  private let store: any PersistenceService
  private let report: @Sendable (any Error) -> Void
  private let note: @Sendable (_ reason: String?) -> Void
  private let availability = Availability()

  private final class Availability: Sendable {
    let isLost = Atomic(false)
    let refusesWrites = Atomic(false)
  }

  /// Whether the last write has failed because of the disk or the file, and not because of the
  /// request.
  ///
  /// While this is true, a health check of the server can try a write to notice that the cause is
  /// gone.
  public var refusesWrites: Bool { availability.refusesWrites.load(ordering: .relaxed) }

  /// Makes a store that uses another one.
  ///
  /// - Parameters:
  ///   - store: The database.
  ///   - report: Receives the failures of the database.
  ///   - note: Receives the reason once when the database is lost, and nil when it is back.
  public init(
    store: any PersistenceService, report: @escaping @Sendable (any Error) -> Void,
    note: @escaping @Sendable (_ reason: String?) -> Void = { _ in }
  ) {
    (self.store, self.report, self.note) = (store, report, note)
  }

  /// Reads as the store does; see ``RequestStore``.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    try await answering { try await store.read(body) }
  }

  /// Writes as the store does; see ``RequestStore``.
  @discardableResult
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    let value = try await answering(isWrite: true) { try await store.write(body) }
    availability.refusesWrites.store(false, ordering: .relaxed)
    return value
  }

  /// Observes as the store does.
  public func observe<T: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: T.Type
  ) -> LiveQuery<T> {
    store.observe(query, as: type)
  }

  /// Erases as the store does.
  public func eraseDeleted() async throws { try await store.eraseDeleted() }
  /// Erases as the store does.
  public func eraseMarked() async throws { try await store.eraseMarked() }
  /// Closes the store.
  public func close() async throws(PersistenceError) { try await store.close() }

  private func answering<T>(
    isWrite: Bool = false, _ body: () async throws -> T
  ) async throws -> T {
    do {
      let value = try await body()
      if availability.isLost.load(ordering: .relaxed),
        availability.isLost.exchange(false, ordering: .relaxed)
      {
        note(nil)
      }
      return value
    } catch let error as PersistenceError {
      switch error.kind {
      case .encoding:
        throw Problem.badRequest(
          "The request contains a text that the database cannot store, such as a NUL character.")
      case .busy, .unavailable, .outcomeUnknown:
        if error.kind != .busy, !availability.isLost.exchange(true, ordering: .relaxed) {
          note("\(error)")
        }
        report(error)
        throw Problem(
          .serviceUnavailable, code: "database-unavailable",
          detail: "The server cannot reach its database. Send the request again later.",
          headers: ["Retry-After": "1"])
      case .full:
        if isWrite { availability.refusesWrites.store(true, ordering: .relaxed) }
        report(error)
        throw Problem(
          .serviceUnavailable, code: "disk-full",
          detail:
            "The disk of the server is full, so nothing was stored. Tell the people who run it.",
          headers: ["Retry-After": "60"])
      // In a read, `readOnly` is a mistake of the route.
      case .readOnly where isWrite, .fileReplaced, .inputOutput, .corrupt, .notADatabase,
        .cannotOpen:
        if isWrite { availability.refusesWrites.store(true, ordering: .relaxed) }
        report(error)
        throw Problem(
          .serviceUnavailable, code: "database-failed",
          detail: """
            The server cannot use its database. Send the request again later, and tell the people \
            who run the server.
            """,
          headers: ["Retry-After": "10"])
      default: throw error
      }
    }
  }
}
