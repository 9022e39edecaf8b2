import CausewayData

/// Brings requests to servers and tells their exchanges what becomes of them.
protocol Transport: Sendable {
  var clock: TransportClock { get }

  /// The number of requests that have not ended.
  var count: Int { get }

  /// Ends everything, and returns at once; later exchanges fail.
  func close()

  /// Starts a request.
  ///
  /// - Parameters:
  ///   - request: What to send.
  ///   - exchange: Is told what becomes of it. Known weakly: giving it up ends it.
  ///   - timeout: How long nothing may move.
  ///   - end: When all of it has to be done, by the clock.
  func start(_ request: WireRequest, exchange: Exchange, timeout: Duration, end: Duration?)
}

/// What brings the requests of a service to servers.
package enum TransportKind: Sendable, Hashable, CaseIterable {
  /// The system's URL loading.
  case system
  #if os(Linux)
    /// libcurl: on Linux the system's URL loading ends the process when a server breaks off in the
    /// middle of the header fields, and reads on whether or not anybody takes what it has read.
    case curl
  #endif

  /// What a service uses unless it is told otherwise.
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
