public import CausewayDatabase

/// A persistence service with one SQLite file.
///
/// ```swift
/// let service = try await SQLiteService(path: "harbor.sqlite", migrations: migrations)
/// ```
///
/// One connection writes and a few others read snapshots concurrently, in write-ahead-log mode. All
/// functions may be called from any isolation. Other processes on the same machine may use the same
/// file.
public final class SQLiteService: PersistenceService {
  let writer: Writer
  let readers: ReaderPool
  let live: LiveQueries
  let file: StoreFile

  /// Opens or creates a file, and applies the missing migrations.
  ///
  /// A file that is only read must exist; see ``SQLiteConfiguration/access``.
  ///
  /// - Throws: `PersistenceError`; the contents of the file stay unchanged. `CancellationError` if
  ///   the task is cancelled while it waits for the lock of another process. For a damaged file,
  ///   this throws unless the configuration sets the file aside.
  public init(
    path: String, migrations: [Migration],
    configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) async throws {
    file = StoreFile(
      path: path, vfs: configuration.vfs, isImmutable: configuration.access == .immutable,
      host: configuration.host)
    readers = ReaderPool(
      file, limit: configuration.readers, threads: configuration.ownThreads)
    live = LiveQueries()
    writer = try await withExecutor(configuration.ownThreads) { [file, readers, live] in
      try await Writer(
        file, readers: readers, live: live, migrations: migrations, configuration: configuration)
    }
  }

  /// Runs a closure with a snapshot of the database, on one of the reading connections.
  ///
  /// - Throws: The error of the body, `PersistenceError`, or `CancellationError`.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (any ReadTransaction) throws -> T
  ) async throws -> T {
    try await writer.read(from: readers, body)
  }

  /// Runs a closure with exclusive access to the database and commits, on the writing connection.
  ///
  /// Writes that wait at the same time share one commit. If one of them throws, only that write is
  /// rolled back.
  ///
  /// - Throws: The error of the body, `PersistenceError`, or `CancellationError`.
  @discardableResult
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (any WriteTransaction) throws -> T
  ) async throws -> T {
    try await writer.handlingDamage {
      try await withBriefBlocking(threads) { [writer] in try await writer.write(body) }
    }
  }

  /// Returns a live query: the rows now, and after each commit that changes a table it reads.
  public func observe<T: Decodable & Equatable & Sendable>(
    _ query: SQL, as type: T.Type
  ) -> LiveQuery<T> {
    let follower = QueryFollower<T>(query, writer, readers)
    return live.observe(query, as: type, pause: liveQueryPause, watch: watch) {
      try await follower.fetch()
    }
  }

  /// Reads the whole file, and throws if any part of the file is damaged.
  ///
  /// SQLite itself detects damage only in pages that a statement reads. Complexity: O(*n* log *n*)
  /// in the size of the file.
  ///
  /// - Throws: `PersistenceError`, of kind `corrupt` for damage; `CancellationError`.
  public func checkIntegrity() async throws {
    try await writer.handlingDamage {
      try await readers.withReader { reader in
        try await withExecutor(threads) { [writer] in
          try await reader.checkIntegrity(timeout: writer.busyTimeout)
        }
      }
    }
  }

  /// Removes the remains of deleted rows from all files of the service.
  ///
  /// This includes the log, the full-text indexes, and damaged files that were set aside. If rows
  /// were written since the last call, it rebuilds the indexes, rewrites the file and empties the
  /// log. Row ids of tables without an integer primary key can change. Complexity: O(size of the
  /// file). The disk needs free space of the same size.
  ///
  /// - Throws: `PersistenceError`, of kind `busy` if a read takes longer than the busy timeout, and
  ///   of kind `full` without free space; `CancellationError`. The call can be repeated.
  public func eraseDeleted() async throws {
    try await writer.handlingDamage {
      try await withExecutor(threads) { [writer] in try await writer.eraseDeleted() }
    }
  }

  /// Removes the remains of deleted rows if a transaction has marked them.
  ///
  /// Keeps the damaged files that were set aside. If the process ends between the mark and the end
  /// of this call, the service erases the remains when it opens the file again. If that fails, the
  /// mark stays, and the service opens the file anyway.
  ///
  /// - Throws: The errors of ``eraseDeleted()``.
  public func eraseMarked() async throws {
    try await writer.handlingDamage {
      try await withExecutor(threads) { [writer] in try await writer.eraseMarked() }
    }
  }

  /// Waits for running transactions, copies the log into the main file, and ends live queries.
  ///
  /// - Throws: `PersistenceError` if the last checkpoint fails. Committed changes are kept in the
  ///   log.
  public func close() async throws(PersistenceError) {
    try await writer.close()
  }

  /// The shortest pause between two runs of a live query.
  ///
  /// A service without threads of its own must not wait, because a test or a simulation decides
  /// when a query runs.
  private var liveQueryPause: Duration {
    threads == nil ? .zero : writer.configuration.liveQueryPause
  }

  private var threads: BlockingThreads? { writer.configuration.ownThreads }

  private var watch: LiveQueries.Watch? {
    guard let interval = writer.configuration.foreignCommitInterval else { return nil }
    return { [writer] in
      do { try await Task.sleep(for: interval) } catch { return nil }
      return try? await withBriefBlocking(writer.configuration.ownThreads) {
        await writer.sawForeignCommit()
      }
    }
  }
}
