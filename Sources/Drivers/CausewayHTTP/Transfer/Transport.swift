import CausewayBasics

/// Sends requests to servers and reports events to their exchanges.
protocol Transport: Sendable {
  var surroundings: Surroundings { get }

  /// The number of requests that have not ended.
  var count: Int { get }

  /// Ends all requests without waiting.
  ///
  /// Requests that are started later fail.
  func close()

  /// Starts a request.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - exchange: Receives the events. It is held weakly, so releasing it ends the request.
  ///   - timeout: The longest time without activity.
  ///   - end: The deadline of the whole call, measured by the clock.
  func start(_ request: WireRequest, exchange: Exchange, timeout: Duration, end: Duration?)
}
