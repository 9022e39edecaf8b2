/// The response of a server.
public struct NetworkResponse: Sendable, Hashable {
  /// The status, for example 200.
  public var status: Int
  /// The header fields.
  public var headers: NetworkHeaders
  /// The body; empty if it was stored in a file.
  public var body: [UInt8]

  /// Makes a response.
  public init(status: Int, headers: NetworkHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The media type in lower case and without parameters; empty if the server sent none.
  public var mediaType: String {
    let type = headers["content-type"] ?? ""
    let end = type.firstIndex(of: ";") ?? type.endIndex
    return type[..<end].filter { $0 != " " && $0 != "\t" }.lowercased()
  }
}

/// The progress of a request.
public enum NetworkProgress: Sendable, Hashable {
  /// The number of sent bytes of the body, and the total if it is known.
  case sent(Int, of: Int?)
  /// The number of received bytes of the body, and the total if it is known.
  case received(Int, of: Int?)

  /// Receives the progress of a request, in order, on any thread.
  ///
  /// It must not block.
  ///
  /// The numbers start at zero again if the request is repeated after a failure.
  public typealias Observer = @Sendable (NetworkProgress) -> Void
}
