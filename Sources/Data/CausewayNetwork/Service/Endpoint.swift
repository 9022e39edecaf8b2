/// A request whose response has a type.
///
/// ```swift
/// extension Endpoint where Response == [Activity] {
///   static func activities(on day: String) -> Self {
///     Endpoint(.get, "/activities", query: [.init("day", day)])
///   }
/// }
/// let activities = try await network.value(for: .activities(on: "2026-06-21"))
/// ```
public struct Endpoint<Response: Decodable & Sendable>: Sendable {
  /// The request.
  ///
  /// If ``body`` is set, its JSON replaces the body of this request.
  public var request: NetworkRequest
  /// The value that is sent as JSON.
  public var body: (any Encodable & Sendable)?

  /// Makes an endpoint.
  ///
  /// - Parameters:
  ///   - method: The method of the request.
  ///   - path: The path of the resource, below the service's address.
  ///   - query: The query items, in order.
  ///   - headers: Header fields, in addition to those of the service.
  ///   - body: The value that is sent as JSON.
  ///   - idempotencyKey: Identifies the request, so the server applies it only once.
  public init(
    _ method: HTTPMethod,
    _ path: NetworkPath,
    query: [NetworkRequest.QueryItem] = [],
    headers: NetworkHeaders = [:],
    body: (any Encodable & Sendable)? = nil,
    idempotencyKey: IdempotencyKey? = nil
  ) {
    request = NetworkRequest(
      method, path, query: query, headers: headers, idempotencyKey: idempotencyKey)
    self.body = body
  }

  /// Makes an endpoint from a request.
  public init(_ request: NetworkRequest) {
    self.request = request
  }

  /// Returns the request with its body encoded.
  ///
  /// - Throws: `NetworkError` of kind `encoding`.
  package func encoded(with coding: JSONCoding) throws(NetworkError) -> NetworkRequest {
    var encoded = request
    if let body {
      do {
        encoded.body = .bytes(try coding.encode(body), type: "application/json")
      } catch {
        var located = error
        located.method = request.method
        located.url = request.path.encoded
        throw located
      }
    }
    if encoded.headers["accept"] == nil { encoded.headers["accept"] = "application/json" }
    return encoded
  }
}
