/// The current rows of a query, and the new rows after each commit that changes them.
///
/// - A live query is registered when it is made, so it misses no later commit.
/// - Only the latest rows are kept. A slow consumer skips versions and uses no additional memory.
/// - Equal rows are not delivered twice in succession.
/// - Identical live queries of a service share one query. It runs at most once for each commit, in
///   the task of one waiting consumer. After a run, a query of a database file or a server pauses
///   for some milliseconds; the commits during the pause share the next run.
/// - A live query ends when its task is cancelled or the service closes. It throws if the query
///   fails. The service continues to work after that; call `observe` again to start over.
public struct LiveQuery<Row: Decodable & Equatable & Sendable>: AsyncSequence, Sendable {
  /// All rows of one version of the result.
  public typealias Element = [Row]
  /// The error of a failed query.
  public typealias Failure = PersistenceError

  private let subscription: LiveQuerySubscription<Row>

  init(_ subscription: LiveQuerySubscription<Row>) {
    self.subscription = subscription
  }

  /// Makes a consumer, which starts with the current rows.
  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription)
  }

  /// The same live query, with versions that share their unchanged rows.
  ///
  /// Use it for large results: an array of all rows takes time and memory for each version. A
  /// version can also have the identities of the changed rows.
  public var versions: LiveQueryVersions<Row> { LiveQueryVersions(query: self) }

  /// The iterator of one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    /// Released at the end, so the query is unregistered even if the iterator still exists.
    private var subscription: LiveQuerySubscription<Row>?
    private var seen = 0

    init(_ subscription: LiveQuerySubscription<Row>) {
      self.subscription = subscription
    }

    /// Waits for rows that this consumer has not received, and returns the latest rows.
    ///
    /// - Throws: `PersistenceError` if the query fails. The live query has then ended.
    public mutating func next() async throws(PersistenceError) -> [Row]? {
      try await next(isolation: #isolation)
    }

    /// Waits for rows that this consumer has not received, and returns the latest rows.
    ///
    /// - Throws: `PersistenceError` if the query fails. The live query has then ended.
    public mutating func next(
      isolation: isolated (any Actor)?
    ) async throws(PersistenceError) -> [Row]? {
      try await nextVersion(isolation: isolation)?.asArray
    }

    mutating func nextVersion(
      isolation: isolated (any Actor)?
    ) async throws(PersistenceError) -> LiveRows<Row>? {
      guard let subscription else { return nil }
      switch await subscription.node.next(
        after: seen, covering: subscription.required, isolation: isolation)
      {
      case .rows(let rows, let version):
        seen = version
        return rows
      case .failed(let error):
        self.subscription = nil
        throw error
      case .ended:
        self.subscription = nil
        return nil
      }
    }
  }
}

/// Keeps a live query registered while an iterator or a sequence refers to it.
final class LiveQuerySubscription<Row: Decodable & Equatable & Sendable>: Sendable {
  let node: LiveQueryNode<Row>
  /// The number of the commit that the first rows must include.
  let required: Int
  private let registry: LiveQueries
  private let key: LiveQueries.Key

  init(_ node: LiveQueryNode<Row>, required: Int, registry: LiveQueries, key: LiveQueries.Key) {
    self.node = node
    self.required = required
    self.registry = registry
    self.key = key
  }

  deinit {
    registry.release(node, key: key)
  }
}
