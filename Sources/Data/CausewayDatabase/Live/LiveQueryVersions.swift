/// The versions of a live query, which share their unchanged rows.
///
/// It has the properties of ``LiveQuery``; only the form of the rows differs.
public struct LiveQueryVersions<Row: Decodable & Equatable & Sendable>: AsyncSequence, Sendable {
  /// One version of the result.
  public typealias Element = LiveRows<Row>
  /// The error of a failed query.
  public typealias Failure = PersistenceError

  let query: LiveQuery<Row>

  /// Makes a consumer, which starts with the current rows.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: query.makeAsyncIterator())
  }

  /// The iterator of one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    var base: LiveQuery<Row>.Iterator

    /// Waits for rows that this consumer has not received, and returns the latest rows.
    ///
    /// - Throws: `PersistenceError` if the query fails. The live query has then ended.
    public mutating func next() async throws(PersistenceError) -> LiveRows<Row>? {
      try await base.nextVersion(isolation: #isolation)
    }

    /// Waits for rows that this consumer has not received, and returns the latest rows.
    ///
    /// - Throws: `PersistenceError` if the query fails. The live query has then ended.
    public mutating func next(
      isolation: isolated (any Actor)?
    ) async throws(PersistenceError) -> LiveRows<Row>? {
      try await base.nextVersion(isolation: isolation)
    }
  }
}
