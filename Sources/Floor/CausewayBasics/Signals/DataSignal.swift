/// An event in the data layer, for a tool that shows such events.
///
/// It contains no values: the bound values of a query, the payload of a mutation, and the values of
/// an address's query are left out.
package enum DataSignal: Sendable {
  /// A live query ran.
  ///
  /// - Parameter reason: Why it ran, such as `first run` or `after changes of activity`.
  case query(sql: String, rows: Int, took: Duration, reason: String)
  /// A live query failed, and has ended.
  case failedQuery(sql: String, took: Duration, reason: String, error: String)
  /// A mutation of an outbox has reached a stage.
  ///
  /// - Parameter details: For example the reason of a refusal.
  case mutation(
    MutationStage, collection: String, kind: String, sequence: Int64, details: String? = nil)
  /// A cache was asked for the value of a key.
  case cached(CacheAnswer, key: any Sendable, value: any Any.Type)
  /// A request began.
  ///
  /// - Parameter address: The address of the request, without the values of its query.
  case request(number: UInt64, method: String, address: String)
  /// A request ended, after all of its attempts.
  case response(number: UInt64, method: String, address: String, RequestEnd, took: Duration)

  /// The stages of a mutation.
  package enum MutationStage: String, Sendable {
    case stored, sent, acknowledged, postponed, refused, removed
    /// The server's receipt is stored.
    case settled
  }

  /// How a cache has answered.
  package enum CacheAnswer: String, Sendable {
    case hit
    /// The value is old, and is loaded again.
    case stale
    /// The value is not in memory; it is read from the disk or loaded.
    case miss
    /// The last load failed, and the next one must wait. The caller gets the error.
    case coolingDown = "cooling down"
  }

  /// How a request has ended.
  package enum RequestEnd: Sendable {
    case status(Int)
    /// The kind of the error, and the status of the answer if there was one.
    case failed(String, status: Int?)
    case cancelled
  }
}
