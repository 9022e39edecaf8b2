/// Where a server can be reached.
public struct ServerAddress: Sendable, Hashable {
  /// The numeric address that the server is bound to.
  public let host: String
  /// The port that the server is bound to, never 0.
  public let port: UInt16

  /// The address for a browser, such as `http://127.0.0.1:8080`.
  public var url: String {
    "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}
