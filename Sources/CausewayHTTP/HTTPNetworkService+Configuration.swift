public import CausewayData
public import Foundation

extension HTTPNetworkService {
  /// Where the server is, and the limits of every request to it.
  public struct Configuration: Sendable {
    /// The address that all paths are below, for example `https://api.example.org/v1`.
    public var address: URL
    /// Header fields of every request.
    public var headers: NetworkHeaders = [:]
    /// How bodies of typed endpoints are encoded and decoded.
    public var coding: JSONCoding = .standard
    /// When a failed request is sent again.
    public var retry = NetworkRetryPolicy()
    /// How long a request may be without activity, including the time that it waits for a
    /// connection.
    ///
    /// Default: 30 seconds. ``connectionsPerHost`` limits the connections.
    public var timeout: Duration = .seconds(30)
    /// How long a call may take with all its attempts.
    ///
    /// Default: 5 minutes; `nil` for no limit.
    ///
    /// Without a deadline, a server that sends one byte from time to time keeps a call open
    /// forever. Downloads to files and event streams have no deadline.
    public var deadline: Duration? = .seconds(300)
    /// The largest body that is accepted into memory, in bytes.
    ///
    /// Default: 16 MiB.
    public var bodyLimit = 16 << 20
    /// The largest body that is accepted into a file, in bytes.
    ///
    /// Default: 1 GiB.
    public var downloadLimit = 1 << 30
    /// How often one request may be redirected.
    ///
    /// Default: 5.
    public var redirectLimit = 5
    /// How many connections there may be to one host.
    ///
    /// Default: 6.
    ///
    /// Each open event stream keeps one.
    public var connectionsPerHost = 6
    /// The limits of event streams, and when they reconnect.
    public var events = EventStreamPolicy()

    /// Makes a configuration with the default limits.
    ///
    /// - Parameter address: The address that all paths are below.
    public init(address: URL) {
      self.address = address
    }
  }
}
