import CausewayBasics

/// The implementations of the transport.
package enum TransportKind: Sendable, Hashable, CaseIterable {
  /// The system's URL loading.
  case system
  #if canImport(CCurl)
    /// libcurl.
    ///
    /// On Linux the system's URL loading terminates the process when a server closes the connection
    /// within the header fields. It also continues to read when the consumer is slow.
    case curl
  #endif

  /// The default of a service.
  package static var standard: Self {
    #if canImport(CCurl)
      .curl
    #else
      .system
    #endif
  }

  func transport(connectionsPerHost: Int, surroundings: Surroundings) -> any Transport {
    switch self {
    case .system:
      URLSessionTransport(connectionsPerHost: connectionsPerHost, surroundings: surroundings)
    #if canImport(CCurl)
      case .curl:
        CurlTransport(connectionsPerHost: connectionsPerHost, surroundings: surroundings)
    #endif
    }
  }
}
