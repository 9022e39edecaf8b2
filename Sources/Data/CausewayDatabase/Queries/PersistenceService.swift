/// A database that any number of repositories share.
///
/// ```swift
/// try await service.write { transaction in
///   try transaction.upsert(activity, into: "activity")
/// }
/// for try await activities in service.observe("SELECT * FROM activity", as: Activity.self) { … }
/// ```
///
/// The closures are synchronous, so no transaction waits for a closure that is suspended. A write
/// inside a write does not compile.
public protocol PersistenceService: Sendable {
  /// Runs a closure with a snapshot of the database, concurrently with other reads and writes.
  ///
  /// - Parameter body: Runs on the service's own isolation, off the caller's actor.
  /// - Throws: The error of the body, `PersistenceError`, or `CancellationError` when the task is
  ///   cancelled while it waits or reads.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T

  /// Runs a closure with exclusive access to the database, and commits.
  ///
  /// Writes run in the order of their calls.
  ///
  /// - Parameter body: Runs on the service's own isolation, off the caller's actor. If it throws,
  ///   none of its changes are stored.
  /// - Throws: The error of the body, `PersistenceError`, or `CancellationError` when the task is
  ///   cancelled before the body starts.
  @discardableResult
  func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T

  /// Returns a live query: its rows now, and its rows after each commit that changes them.
  ///
  /// The query is registered before this function returns, so no later commit is missed.
  func observe<T: Decodable & Equatable & Sendable>(_ query: SQL, as type: T.Type) -> LiveQuery<T>

  /// Removes the remains of deleted rows from the files, for example after a logout.
  ///
  /// Queries no longer find a deleted row, but parts of its text can stay in free space, in a log
  /// or in a search index. After this call, the files of the service contain no remains of rows
  /// that were deleted before the call. The default implementation does nothing, for a service
  /// without files.
  ///
  /// If nothing was written since the last call, it does nothing. The ``Outbox`` and
  /// ``DatabaseBacking`` call it at a logout. Call it also in ``SessionParticipant/erase`` of a
  /// participant that deletes its own rows.
  ///
  /// - Throws: `PersistenceError`, of kind `busy` if another process reads old rows for longer than
  ///   the busy timeout; `CancellationError`. The call can be repeated.
  func eraseDeleted() async throws

  /// Removes the remains of deleted rows if a transaction has marked them.
  ///
  /// A sign-in calls it. Without a mark of ``WriteTransaction/markForErasing()`` it does nothing.
  /// Damaged files that were set aside stay, because they may contain the only copy of rows of the
  /// account that signs in. The default implementation calls ``eraseDeleted()``.
  ///
  /// - Throws: The errors of ``eraseDeleted()``. The mark then stays.
  func eraseMarked() async throws

  /// Waits for running transactions, stores everything in the main file, and ends live queries.
  ///
  /// Later calls throw an error of kind `closed`. A second call does nothing.
  ///
  /// - Throws: `PersistenceError` if the last checkpoint fails. Committed changes are kept in the
  ///   log.
  func close() async throws(PersistenceError)
}

extension PersistenceService {
  /// The default does nothing, which is correct for a service without files.
  public func eraseDeleted() async throws {}

  /// The default calls ``eraseDeleted()``, which is correct for a service that keeps no damaged
  /// files.
  public func eraseMarked() async throws { try await eraseDeleted() }

  /// Returns the first rows of a query, and its first rows after each commit that changes them.
  ///
  /// If an index provides the order of the query, the database reads no more rows than the limit.
  ///
  /// - Parameters:
  ///   - query: A query with an order and without a `LIMIT`.
  ///   - type: The type of a row.
  ///   - limit: The largest number of rows.
  public func observe<T: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: T.Type, limit: Int
  ) -> LiveQuery<T> {
    observe("\(query) LIMIT \(limit)", as: type)
  }
}
