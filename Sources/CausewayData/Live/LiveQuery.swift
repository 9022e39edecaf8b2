/// The current rows of a query, and then the rows after each commit that changes them.
///
/// - It is registered when it is made, so it misses no later commit.
/// - Only the latest rows are kept. A slow consumer skips versions and costs no memory.
/// - Equal rows are not delivered twice in a row.
/// - Identical live queries of a service share one query, which runs at most once for each commit, in
///   the task of one waiting consumer.
/// - It ends when its task is cancelled or the service closes, and throws when the query fails.
///   The service continues to work; observe again to start over.
public struct LiveQuery<Row: Decodable & Equatable & Sendable>: AsyncSequence, Sendable {
  /// All rows of one version.
  public typealias Element = [Row]
  /// What a failed query throws.
  public typealias Failure = PersistenceError

  private let subscription: LiveQuerySubscription<Row>

  init(_ subscription: LiveQuerySubscription<Row>) {
    self.subscription = subscription
  }

  /// Makes a consumer, which begins with the current rows.
  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription)
  }

  /// Delivers a live query to one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    /// Given up at the end, so that the service forgets the consumer even while this value lives.
    private var subscription: LiveQuerySubscription<Row>?
    private var seen = 0

    init(_ subscription: LiveQuerySubscription<Row>) {
      self.subscription = subscription
    }

    /// The latest rows that this consumer has not seen, as soon as there are any.
    ///
    /// - Throws: `PersistenceError` if the query fails; the live query has ended then.
    public mutating func next() async throws(PersistenceError) -> [Row]? {
      try await next(isolation: #isolation)
    }

    /// The latest rows that this consumer has not seen, as soon as there are any.
    ///
    /// - Throws: `PersistenceError` if the query fails; the live query has ended then.
    public mutating func next(
      isolation: isolated (any Actor)?
    ) async throws(PersistenceError) -> [Row]? {
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

/// Keeps a live query registered for as long as anyone can still iterate it.
final class LiveQuerySubscription<Row: Decodable & Equatable & Sendable>: Sendable {
  let node: LiveQueryNode<Row>
  /// What the rows have to include to be as new as the subscription.
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
