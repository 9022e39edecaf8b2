import Synchronization

/// A request that the server has answered, for an access log.
public struct AccessRecord: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The path as the client sent it, without the query, because a query can contain personal data.
  public var path: String
  /// The pattern of the route, as ``Request/route``.
  ///
  /// Unlike the path, it has few different values, so it can be a dimension of a metric.
  public var route: String?
  /// The status of the response.
  public var status: HTTPStatus
  /// The numeric address of the client, as ``Request/remoteAddress``.
  public var remoteAddress: String
  /// The bytes of the request's body.
  public var bodyBytes: Int
  /// The time from the request's header fields to the end of the response.
  ///
  /// For an event stream, it is the time that the stream was open.
  public var duration: Duration
}

/// The totals of a server since it was made, and its open connections and sessions.
public struct ServerCounters: Sendable, Equatable {
  /// Answered requests.
  public var requests = 0
  /// Answers with a 4xx status: requests that the server refused.
  public var refusals = 0
  /// Answers with a 5xx status.
  public var failures = 0
  /// Open connections.
  public var connections = 0
  /// Sessions that are alive.
  public var sessions = 0

  mutating func count(_ status: HTTPStatus) {
    requests += 1
    if (400..<500).contains(status.code) { refusals += 1 }
    if status.code >= 500 { failures += 1 }
  }
}
