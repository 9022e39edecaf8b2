import CausewayData

/// Sends requests to servers and reports events to their exchanges.
protocol Transport: Sendable {
  var clock: TransportClock { get }

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

/// The implementations of the transport.
package enum TransportKind: Sendable, Hashable, CaseIterable {
  /// The system's URL loading.
  case system
  #if os(Linux)
    /// libcurl.
    ///
    /// On Linux the system's URL loading terminates the process when a server closes the connection
    /// within the header fields. It also continues to read when the consumer is slow.
    case curl
  #endif

  /// The default of a service.
  package static var standard: Self {
    #if os(Linux)
      .curl
    #else
      .system
    #endif
  }

  func transport(connectionsPerHost: Int, clock: TransportClock) -> any Transport {
    switch self {
    case .system:
      URLSessionTransport(connectionsPerHost: connectionsPerHost, clock: clock)
    #if os(Linux)
      case .curl:
        CurlTransport(connectionsPerHost: connectionsPerHost, clock: clock)
    #endif
    }
  }
}
