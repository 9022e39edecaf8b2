public import CausewayNetwork
public import Foundation

extension HTTPNetworkService {
  /// The address of the server, and the limits of every request to it.
  public struct Configuration: Sendable {
    /// The address to which all paths are added, for example `https://api.example.org/v1`.
    public var address: URL
    /// Header fields of every request.
    public var headers: NetworkHeaders = [:]
    /// The coding of the JSON bodies of typed endpoints.
    public var coding: JSONCoding = .standard
    /// The policy for sending failed requests again.
    public var retry = NetworkRetryPolicy()
    /// The longest time without activity, including the time that a request waits for a connection.
    ///
    /// Default: 30 seconds. ``connectionsPerHost`` limits the connections.
    public var timeout: Duration = .seconds(30)
    /// The longest time of a call, with all its attempts.
    ///
    /// Default: 5 minutes; `nil` for no limit.
    ///
    /// Without a deadline, a server that sends one byte from time to time keeps a call open
    /// forever. Downloads to files and event streams have no deadline.
    public var deadline: Duration? = .seconds(300)
    /// The largest body that can be received in memory, in bytes.
    ///
    /// Default: 16 MiB.
    public var bodyLimit = 16 << 20
    /// The largest body that a file can receive, in bytes.
    ///
    /// Default: 1 GiB.
    public var downloadLimit = 1 << 30
    /// The largest number of redirects of one request.
    ///
    /// Default: 5.
    public var redirectLimit = 5
    /// The largest number of connections to one host.
    ///
    /// Default: 6.
    ///
    /// Each open event stream uses one of them.
    public var connectionsPerHost = 6
    /// The limits of event streams, and when they reconnect.
    public var events = EventStreamPolicy()

    /// Makes a configuration with the default limits.
    ///
    /// - Parameter address: The address to which all paths are added.
    public init(address: URL) {
      self.address = address
    }
  }
}
